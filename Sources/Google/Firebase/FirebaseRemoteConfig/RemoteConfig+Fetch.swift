// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaCompatibility
import FoveaCore
import FoveaRemoteConfig

extension RemoteConfig {
  /// Returns at once: the values can be read immediately.
  /// - Throws: Nothing.
  public func ensureInitialized() async throws {}

  /// Fetches the values, unless the last fetch is recent enough.
  /// - Returns: `success`.
  /// - Throws: `RemoteConfigError`.
  @discardableResult
  public func fetch() async throws -> RemoteConfigFetchStatus { try await fetched(nil) }

  /// Fetches the values, unless the last fetch is recent enough.
  /// - Parameter expirationDuration: Used instead of `minimumFetchInterval`, in seconds; 0 always fetches.
  /// - Returns: `success`.
  /// - Throws: `RemoteConfigError`.
  @discardableResult
  public func fetch(withExpirationDuration expirationDuration: TimeInterval) async throws
    -> RemoteConfigFetchStatus
  { try await fetched(.seconds(expirationDuration)) }

  /// Fetches the values and activates them.
  /// - Returns: The source of the values: the host or an earlier fetch.
  /// - Throws: `RemoteConfigError`.
  @discardableResult
  public func fetchAndActivate() async throws -> RemoteConfigFetchAndActivateStatus {
    do throws(ConfigError) {
      let engine = try engine.get()
      let outcome = try await engine.fetch()
      try engine.activate()
      return outcome == .recent ? .successUsingPreFetchedData : .successFetchedFromRemote
    } catch {
      throw failure(error)
    }
  }

  /// Activates the fetched values.
  /// - Returns: Whether any value changed.
  /// - Throws: `RemoteConfigError` if the values cannot be stored.
  @discardableResult
  public func activate() async throws -> Bool {
    do throws(ConfigError) { return try engine.get().activate() } catch { throw failure(error) }
  }

  /// Fetches the values, unless the last fetch is recent enough.
  /// - Parameter completionHandler: Called once.
  public func fetch(completionHandler: (@Sendable (RemoteConfigFetchStatus, (any Error)?) -> Void)? = nil) {
    deliver(completionHandler) {
      try await self.fetch()
    } failed: {
      $0.isThrottled ? .throttled : .failure
    }
  }

  /// Fetches the values, unless the last fetch is recent enough.
  /// - Parameters:
  ///   - expirationDuration: Used instead of `minimumFetchInterval`, in seconds.
  ///   - completionHandler: Called once.
  public func fetch(
    withExpirationDuration expirationDuration: TimeInterval,
    completionHandler: (@Sendable (RemoteConfigFetchStatus, (any Error)?) -> Void)? = nil
  ) {
    deliver(completionHandler) {
      try await self.fetch(withExpirationDuration: expirationDuration)
    } failed: {
      $0.isThrottled ? .throttled : .failure
    }
  }

  /// Fetches the values and activates them.
  /// - Parameter completionHandler: Called once.
  public func fetchAndActivate(
    completionHandler: (@Sendable (RemoteConfigFetchAndActivateStatus, (any Error)?) -> Void)? = nil
  ) {
    deliver(completionHandler) {
      try await self.fetchAndActivate()
    } failed: { _ in
      .error
    }
  }

  /// Activates the fetched values.
  /// - Parameter completion: Called once.
  public func activate(completion: (@Sendable (Bool, (any Error)?) -> Void)? = nil) {
    deliver(completion) {
      try await self.activate()
    } failed: { _ in
      false
    }
  }

  private func deliver<Value: Sendable>(
    _ completion: (@Sendable (Value, (any Error)?) -> Void)?,
    _ work: @escaping @Sendable () async throws -> Value,
    failed: @escaping @Sendable (RemoteConfigError?) -> Value
  ) {
    Task {
      do {
        let value = try await work()
        CallbackDelivery.shared.deliver(on: nil) { completion?(value, nil) }
      } catch {
        CallbackDelivery.shared.deliver(on: nil) { completion?(failed(error as? RemoteConfigError), error) }
      }
    }
  }

  private func fetched(_ interval: Duration?) async throws -> RemoteConfigFetchStatus {
    do throws(ConfigError) {
      _ = try await engine.get().fetch(ifOlderThan: interval)
      return .success
    } catch {
      throw failure(error)
    }
  }

  func failure(_ error: ConfigError) -> RemoteConfigError {
    RemoteConfigError(error, until: (try? engine.get())?.pausedUntil)
  }
}

extension RemoteConfigError? {
  fileprivate var isThrottled: Bool { self?.code == .throttled }
}
