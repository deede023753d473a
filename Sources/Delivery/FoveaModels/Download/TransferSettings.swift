// SPDX-License-Identifier: Apache-2.0

/// The options, limits and clock of a download, with or without a catalogue.
struct TransferSettings: Sendable {
  var options: ModelDownloader.Options
  /// The pauses between attempts.
  var retry = RetryPause()
  /// The deadline of the running download; nil for none.
  var deadline: ContinuousClock.Instant?
  /// The proxy for libcurl; nil for the environment's.
  var proxy: String?
  /// Returns the free space for the store in bytes.
  var freeBytes: @Sendable (String) -> Int? = { FileSystem.freeBytes(at: $0) }

  init(options: ModelDownloader.Options = ModelDownloader.Options()) { self.options = options }

  func transfer(_ address: DownloadAddress) -> HTTPTransfer {
    HTTPTransfer(
      address: address, connectTimeout: options.connectTimeout, stallTimeout: options.stallTimeout,
      proxy: proxy, deadline: deadline)
  }

  /// Returns the settings for a download that starts now.
  func beginning() -> TransferSettings {
    var settings = self
    settings.deadline = options.deadline.map { .now + $0 }
    return settings
  }

  /// Waits before the next attempt.
  /// - Throws: `failure` if there is none: the attempts are used up, the server asks for a longer pause than
  ///   allowed, or the deadline comes first; `cancelled`.
  func pause(
    after attempt: Int, _ head: HTTPHead, failure: ModelStoreError, report: () -> Void
  ) async throws(ModelStoreError) {
    guard attempt < options.attempts,
      let pause = retry.duration(after: attempt, wish: head.retryAfterSeconds())
    else { throw failure }
    if let deadline, ContinuousClock.now + pause >= deadline { throw failure }
    report()
    do { try await Task.sleep(for: pause) } catch { throw .cancelled }
  }
}

/// The pause before the next attempt.
///
/// Full jitter: a random pause, with a bound that is twice as large each time, so that devices that failed
/// together do not retry together.
///
/// **Source:** M. Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog 2015, section "Full
/// Jitter".
struct RetryPause: Sendable {
  /// The longest pause before the second attempt; before each further one it is twice as long, up to 32 times
  /// `base`.
  ///
  /// Tests set it to zero.
  var base: Duration = .seconds(1)
  /// The longest pause that a server may ask for with `Retry-After`.
  var longest: Duration = .seconds(60)
  /// Returns a random number from 0 to below 1.
  var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

  /// Returns the pause after an attempt; nil if the server asks for more than `longest`.
  /// - Parameters:
  ///   - attempt: The number of attempts so far, from 1.
  ///   - wish: The seconds that the server asks to wait; nil if it does not ask.
  /// - Returns: 0 to a minute.
  func duration(after attempt: Int, wish: Int?) -> Duration? {
    guard let wish else { return base * (1 << min(attempt - 1, 5)) * random() }
    return wish <= Int(longest / .seconds(1)) ? .seconds(wish) : nil
  }
}
