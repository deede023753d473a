// SPDX-License-Identifier: Apache-2.0

import FoveaRemoteConfig
import Synchronization

extension RemoteConfig {
  /// Returns the value of a parameter.
  public subscript(key: String) -> RemoteConfigValue { configValue(forKey: key) }

  /// Returns the value of a parameter: the host's value, else the app's default, else an empty value.
  /// - Parameter key: The parameter's key.
  /// - Returns: The value.
  public func configValue(forKey key: String?) -> RemoteConfigValue {
    for source in [RemoteConfigSource.remote, .default] {
      if let value = value(key ?? "", source) { return value }
    }
    return RemoteConfigValue(ConfigValue.missing(key ?? ""))
  }

  /// Returns the value of a parameter in a source; an empty value if the source does not have it.
  /// - Parameters:
  ///   - key: The parameter's key.
  ///   - source: The source.
  /// - Returns: The value.
  public func configValue(forKey key: String?, source: RemoteConfigSource) -> RemoteConfigValue {
    value(key ?? "", source) ?? RemoteConfigValue(ConfigValue.missing(key ?? ""))
  }

  /// Returns the app's default of a parameter; nil if there is none.
  /// - Parameter key: The parameter's key.
  /// - Returns: The value.
  public func defaultValue(forKey key: String?) -> RemoteConfigValue? { value(key ?? "", .default) }

  /// Returns all keys of a source.
  /// - Parameter source: The source.
  /// - Returns: The keys, sorted.
  public func allKeys(from source: RemoteConfigSource) -> [String] {
    if source == .default { return values.withLock { $0.defaults.keys.sorted() } }
    return (try? engine.get())?.keys(from: source.native) ?? []
  }

  /// Returns the keys of the host's values that have a prefix.
  /// - Parameter prefix: The prefix; nil for all keys.
  /// - Returns: The keys.
  public func keys(withPrefix prefix: String?) -> Set<String> {
    Set(allKeys(from: .remote).filter { $0.hasPrefix(prefix ?? "") })
  }

  private func value(_ key: String, _ source: RemoteConfigSource) -> RemoteConfigValue? {
    if source == .default {
      return values.withLock { $0.defaults[key] }.map { RemoteConfigValue(ConfigValue.of($0, key)) }
    }
    return (try? engine.get())?.value(key, from: source.native).map { RemoteConfigValue($0) }
  }
}
