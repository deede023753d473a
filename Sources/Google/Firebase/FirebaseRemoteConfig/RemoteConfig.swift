// SPDX-License-Identifier: Apache-2.0

public import FirebaseCore
public import Foundation
import FoveaCompatibility
import FoveaCore
import FoveaModels
import FoveaRemoteConfig
import Synchronization

/// Parameters of the app that a host of its own sets, by Firebase's names; `HostedConfig` of `FoveaRemoteConfig` has them natively.
public final class RemoteConfig: NSObject, Sendable {
  private static let configs = Mutex<[String: RemoteConfig]>([:])

  struct Values: Sendable {
    var defaults: [String: String] = [:]
    var interval: TimeInterval = 43_200
    var timeout: TimeInterval = 60
  }

  /// Without a host there are the app's defaults, and each fetch is an error that says so.
  let engine: Result<HostedConfig, ConfigError>
  let values = Mutex(Values())

  init(_ engine: Result<HostedConfig, ConfigError>) { self.engine = engine }

  /// The parameters of the default app; the host is `ModelDownloader.host`, else that of `FOVEA_MODEL_HOST`.
  public class func remoteConfig() -> RemoteConfig {
    remoteConfig(appID: FirebaseApp.app()?.options.googleAppID)
  }

  /// The parameters of an app.
  /// - Parameter app: The app, whose `googleAppID` conditions of the host may compare.
  /// - Returns: The one set of the app.
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
      // Without a host nothing is kept: the app may name one later.
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

  /// When a fetch succeeded last.
  public var lastFetchTime: Date? {
    (try? engine.get())?.lastFetch.map { Date(timeIntervalSince1970: TimeInterval($0)) }
  }

  /// How the last fetch ended.
  public var lastFetchStatus: RemoteConfigFetchStatus {
    guard let engine = try? engine.get() else { return .noFetchYet }
    if engine.pausedUntil != nil { return .throttled }
    if engine.hasFailed { return .failure }
    return engine.lastFetch == nil ? .noFetchYet : .success
  }

  /// How often the host is asked; a change takes effect with the assignment.
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

  /// Sets the values that the app has where the host has none.
  /// - Parameter defaults: Texts, numbers and data by key; nil for none.
  public func setDefaults(_ defaults: [String: NSObject]?) {
    let texts = (defaults ?? [:]).mapValues { RemoteConfig.text($0) }
    values.withLock { $0.defaults = texts }
    (try? engine.get())?.setDefaults(texts)
  }

  /// Sets the values of a property list of the app.
  /// - Parameter fileName: Its name without `.plist`; one that is missing sets nothing.
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
