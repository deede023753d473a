// SPDX-License-Identifier: Apache-2.0

import FoveaCompatibility
import FoveaCore
import FoveaRemoteConfig
import Synchronization

extension RemoteConfig {
  /// Listens for updates that the host publishes; they are fetched, and take effect with `activate`.
  /// - Parameter listener: Called for each update and each failure.
  /// - Returns: The registration, which can remove the listener.
  @discardableResult
  public func addOnConfigUpdateListener(
    remoteConfigUpdateCompletion listener: @escaping @Sendable (RemoteConfigUpdate?, (any Error)?) -> Void
  ) -> ConfigUpdateListenerRegistration {
    ConfigUpdateListenerRegistration(
      Task { [engine] in
        guard case .success(let engine) = engine else {
          if case .failure(let error) = engine { RemoteConfig.call(listener, .failure(error)) }
          return
        }
        for await update in engine.updates() { RemoteConfig.call(listener, update) }
      })
  }

  private static func call(
    _ listener: @escaping @Sendable (RemoteConfigUpdate?, (any Error)?) -> Void,
    _ update: Result<ConfigUpdate, ConfigError>
  ) {
    CallbackDelivery.shared.deliver(on: nil) {
      switch update {
      case .success(let update): listener(RemoteConfigUpdate(update.keys), nil)
      case .failure(let error): listener(nil, RemoteConfigUpdateError(error))
      }
    }
  }

  /// The updates of the host and the failures.
  public var updateStream: AsyncStream<Result<RemoteConfigUpdate, any Error>> {
    AsyncStream { continuation in
      let registration = addOnConfigUpdateListener { update, error in
        if let update { continuation.yield(.success(update)) }
        if let error { continuation.yield(.failure(error)) }
      }
      continuation.onTermination = { _ in registration.remove() }
    }
  }

  /// Sets the signals that conditions of the host compare.
  /// - Parameter customSignals: The signals by name; nil removes a signal.
  /// - Throws: `RemoteConfigError` if no host is set.
  public func setCustomSignals(_ customSignals: [String: CustomSignalValue?]) async throws {
    let engine: HostedConfig
    do throws(ConfigError) { engine = try self.engine.get() } catch { throw failure(error) }
    var options = engine.options
    for (name, value) in customSignals { options.signals[name] = value?.text }
    engine.options = options
  }
}
