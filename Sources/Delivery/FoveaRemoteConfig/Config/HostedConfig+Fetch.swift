// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaModels
import Synchronization

/// The result of a fetch.
public enum ConfigFetch: Sendable, Hashable {
  /// The host has a different configuration than before.
  case fetched
  /// The host's configuration has not changed.
  case unchanged
  /// The last fetch is recent enough; no request was made.
  case recent
}

extension HostedConfig {
  /// Fetches the configuration unless the last fetch is recent enough; it takes effect with ``activate()``.
  ///
  /// Concurrent callers share one request; a cancelled caller stops waiting, and the request is cancelled
  /// with its last caller. After status 429 or 5xx no request is made for about two minutes; the pause is
  /// twice as long after each failure, up to about four hours. If the host asks for a longer pause, that
  /// pause is used, up to a day.
  /// - Parameter interval: Overrides the option `minimumInterval`; 0 always makes a request.
  /// - Returns: The result.
  /// - Throws: `unreachable`, `throttled`, `refused`, `invalidAnswer`, `store`, `cancelled`; the values do
  ///   not change.
  @discardableResult
  public func fetch(ifOlderThan interval: Duration? = nil) async throws(ConfigError) -> ConfigFetch {
    let (options, record) = state.withLock { ($0.options, $0.record) }
    try options.check()
    if record.isRecent(surroundings.seconds, interval ?? options.minimumInterval) { return .recent }
    let cancelled = ConfigError(
      .cancelled, "The task that waited for the host was cancelled", remedy: "Call again")
    return try await fetching.value("fetch", cancelled: cancelled) { () async throws(ConfigError) in
      try await self.run()
    }
  }

  /// Fetches the configuration and activates it.
  /// - Returns: Whether values changed.
  /// - Throws: The errors of ``fetch(ifOlderThan:)``. A previously fetched configuration is activated even if
  ///   the fetch fails.
  @discardableResult
  public func fetchAndActivate() async throws(ConfigError) -> Bool {
    do throws(ConfigError) { try await fetch() } catch {
      try activate()
      throw error
    }
    return try activate()
  }

  private func run() async throws(ConfigError) -> ConfigFetch {
    let (options, record) = state.withLock { ($0.options, $0.record) }
    if let pause = record.pause(surroundings.seconds) {
      throw ConfigError(
        .throttled, "\(place.host) asks to wait for another \(pause) s",
        remedy: "Fetch again later; the active values remain in use")
    }
    do throws(ConfigError) { return try await ask(options, record.fetched) } catch {
      _ = try change { $0.hasFailed = true }
      throw error
    }
  }

  private func ask(_ options: Options, _ present: ConfigRecord.Config?) async throws(ConfigError)
    -> ConfigFetch
  {
    let address = try place.address("namespaces/firebase:fetch")
    let body = FetchRequest.json(options, installation: try place.installation())
    var transfer = surroundings.post(body, to: address, timeout: options.timeout)
    if let tag = present?.tag { transfer.headers.append("If-None-Match: \(tag)") }
    let answer = try await surroundings.answer(transfer, limit: FetchAnswer.limit)
    let (now, random) = (surroundings.seconds, surroundings.random())
    if let failure = answer.failure(address) {
      if failure.code == .throttled {
        let wish = answer.outcome.head.retryAfterSeconds(now: now)
        _ = try change { $0.fail(now, wish: wish, random: random) }
      }
      throw failure
    }
    let config = try FetchAnswer.config(answer.body, tag: answer.outcome.head.rawTag, present: present)
    return try change { record in
      let isNew = record.fetched != config
      record.fetched = config
      record.fetchedAt = now
      record.failures = 0
      record.pausedUntil = nil
      record.hasFailed = false
      return isNew ? .fetched : .unchanged
    }
  }
}
