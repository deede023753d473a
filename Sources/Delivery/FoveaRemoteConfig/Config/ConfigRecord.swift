// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The device's stored copy of a host's configuration.
struct ConfigRecord: Codable, Sendable, Equatable {
  /// One configuration.
  struct Config: Codable, Sendable, Equatable {
    var entries: [String: String] = [:]
    var variants: [ConfigVariant] = []
    /// The number of the template.
    var version = 0
    /// The answer's `ETag`.
    var tag: String?
  }

  var layout = 1
  var fetched: Config?
  var active: Config?
  /// The time of the last successful fetch, in seconds since 1970.
  var fetchedAt: Int?
  /// The number of consecutive fetches throttled by the host, and the time until which none is made.
  var failures = 0
  var pausedUntil: Int?
  /// Whether the last fetch failed.
  var hasFailed = false

  /// The longest pause that a host may ask for, and the upper bound of all others, in seconds.
  static let longestPause = 86_400

  /// Returns nil if the text is not a valid record.
  init?(json: [UInt8]) {
    // A damaged record, or one of another layout, is fetched again.
    guard let record = try? JSONValue.decode(ConfigRecord.self, from: json), record.layout == 1
    else { return nil }
    self = record
  }

  init() {}

  /// Returns whether the fetched configuration is recent enough; false if the clock was set back.
  func isRecent(_ now: Int, _ interval: Duration) -> Bool {
    guard let fetchedAt, fetched != nil, now >= fetchedAt else { return false }
    return Duration.seconds(now - fetchedAt) < interval
  }

  /// Returns the seconds until the next fetch is allowed; nil if it is allowed now.
  ///
  /// A pause beyond the longest one results from a clock that was set back, and is ignored.
  func pause(_ now: Int) -> Int? {
    guard let pausedUntil, pausedUntil > now, pausedUntil - now <= Self.longestPause else { return nil }
    return pausedUntil - now
  }

  /// Records a throttled fetch.
  ///
  /// Pauses for two minutes, twice as long after each failure, up to four hours, each time varied randomly by
  /// up to half; longer if the host asks for it, up to a day.
  mutating func fail(_ now: Int, wish: Int?, random: Double) {
    failures = min(failures + 1, 30)
    let base = Double(min(120 << min(failures - 1, 7), 14_400))
    pausedUntil = now + min(Self.longestPause, max(Int(base * (0.5 + random)), wish ?? 0))
  }
}
