// SPDX-License-Identifier: Apache-2.0

public import FirebaseCore
public import Foundation
import FoveaCompatibility
import FoveaCore
import FoveaModels
import FoveaRemoteConfig
import Synchronization

/// Parameters of the app that your own host sets, with Firebase's API.
///
/// The native equivalent is `HostedConfig` of `FoveaRemoteConfig`.
public final class RemoteConfig: NSObject, Sendable {
  private static let configs = Mutex<[String: RemoteConfig]>([:])

  struct Values: Sendable {
    var defaults: [String: String] = [:]
    var interval: TimeInterval = 43_200
    var timeout: TimeInterval = 60
  }

  /// A failure if no host is set: there are only the app's defaults, and each fetch fails with this error.
  let engine: Result<HostedConfig, ConfigError>
  let values = Mutex(Values())

  init(_ engine: Result<HostedConfig, ConfigError>) { self.engine = engine }

  /// Returns the parameters of the default app; the host is `ModelDownloader.host`, else `FOVEA_MODEL_HOST`.
  public class func remoteConfig() -> RemoteConfig {
    remoteConfig(appID: FirebaseApp.app()?.options.googleAppID)
  }

  /// Returns the parameters of an app.
  /// - Parameter app: The app; conditions of the host may compare its `googleAppID`.
  /// - Returns: The shared parameters of the app.
  public class func remoteConfig(app: FirebaseApp) -> RemoteConfig {
    remoteConfig(appID: app.options.googleAppID)
  }

  private class func remoteConfig(appID: String?) -> RemoteConfig {
    let id = appID ?? ""
    return configs.withLock { configs in
      if let config = configs[id] { return config }
      let config = RemoteConfig(
        Result { () throws(ConfigError) in
          var options = HostedConfig.Options()
          if !id.isEmpty { options.appID = id }
          return try HostedConfig(host: try RemoteConfig.host(), options: options)
        })
      // Without a host nothing is cached: the app may set one later.
      if case .success = config.engine { configs[id] = config }
      return config
    }
  }

  private class func host() throws(ConfigError) -> HostAddress? {
    guard let text = RemoteModels.host else { return nil }
    do throws(ModelStoreError) { return try HostAddress(text) } catch {
      throw ConfigError(.hostMissing, error.message, remedy: error.remedy, cause: error)
    }
  }

  /// The time of the last successful fetch.
  public var lastFetchTime: Date? {
    (try? engine.get())?.lastFetch.map { Date(timeIntervalSince1970: TimeInterval($0)) }
  }

  /// The result of the last fetch.
  public var lastFetchStatus: RemoteConfigFetchStatus {
    guard let engine = try? engine.get() else { return .noFetchYet }
    if engine.pausedUntil != nil { return .throttled }
    if engine.hasFailed { return .failure }
    return engine.lastFetch == nil ? .noFetchYet : .success
  }

  /// The interval and the timeout of fetches; a change takes effect when it is assigned.
  public var configSettings: RemoteConfigSettings {
    get {
      let settings = RemoteConfigSettings()
      (settings.minimumFetchInterval, settings.fetchTimeout) = values.withLock { ($0.interval, $0.timeout) }
      return settings
    }
    set {
      let (interval, timeout) = (newValue.minimumFetchInterval, newValue.fetchTimeout)
      values.withLock { ($0.interval, $0.timeout) = (interval, timeout) }
      guard let engine = try? engine.get() else { return }
      engine.options.minimumInterval = .seconds(interval)
      engine.options.timeout = .seconds(timeout)
    }
  }

  /// Sets the default values, used for parameters that the host does not have.
  /// - Parameter defaults: Strings, numbers and data by key; nil for no defaults.
  public func setDefaults(_ defaults: [String: NSObject]?) {
    let texts = (defaults ?? [:]).mapValues { RemoteConfig.text($0) }
    values.withLock { $0.defaults = texts }
    (try? engine.get())?.setDefaults(texts)
  }

  /// Sets the default values from a property list of the app.
  /// - Parameter fileName: The file's name without `.plist`; a missing file sets nothing.
  public func setDefaults(fromPlist fileName: String?) {
    guard let fileName, let url = Bundle.main.url(forResource: fileName, withExtension: "plist"),
      let data = try? Data(contentsOf: url),
      let list = try? unsafe PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    else { return }
    let texts = list.mapValues { RemoteConfig.text($0) }
    values.withLock { $0.defaults = texts }
    (try? engine.get())?.setDefaults(texts)
  }

  private static func text(_ value: Any) -> String {
    switch value {
    case let text as String: text
    case let data as Data: String(decoding: data, as: UTF8.self)
    case let number as NSNumber: number.stringValue
    default: String(describing: value)
    }
  }
}
