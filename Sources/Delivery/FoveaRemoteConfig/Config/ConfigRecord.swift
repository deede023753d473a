// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// What the device keeps of a host's configuration.
struct ConfigRecord: Codable, Sendable, Equatable {
  /// One configuration.
  struct Config: Codable, Sendable, Equatable {
    var entries: [String: String] = [:]
    var variants: [ConfigVariant] = []
    /// The number of the template.
    var version = 0
    /// The answer's tag.
    var tag: String?
  }

  var layout = 1
  var fetched: Config?
  var active: Config?
  /// When a fetch succeeded last, in seconds since 1970.
  var fetchedAt: Int?
  /// How many fetches failed in a row by a status that asks for patience, and until when none is made.
  var failures = 0
  var pausedUntil: Int?
  /// How the last fetch ended.
  var hasFailed = false

  /// The longest pause that a host may ask for, and an upper bound for every other one.
  static let longestPause = 86_400

  /// Reads a record; nil for one that is not what was written.
  init?(json: [UInt8]) {
    // A record that is damaged, or of another layout, is fetched again.
    guard let record = try? JSONValue.decode(ConfigRecord.self, from: json), record.layout == 1
    else { return nil }
    self = record
  }

  init() {}

  /// Whether what was fetched is new enough; a clock that was set back makes everything old.
  func isRecent(_ now: Int, _ interval: Duration) -> Bool {
    guard let fetchedAt, fetched != nil, now >= fetchedAt else { return false }
    return Duration.seconds(now - fetchedAt) < interval
  }

  /// The seconds for which no fetch is made; nil for none.
  ///
  /// One beyond the longest pause is of a clock that was set back.
  func pause(_ now: Int) -> Int? {
    guard let pausedUntil, pausedUntil > now, pausedUntil - now <= Self.longestPause else { return nil }
    return pausedUntil - now
  }

  /// Notes a status that asks for patience.
  ///
  /// Two minutes, twice as many each time up to four hours, half as much more or less by chance.
  mutating func fail(_ now: Int, wish: Int?, random: Double) {
    failures = min(failures + 1, 30)
    let base = Double(min(120 << min(failures - 1, 7), 14_400))
    pausedUntil = now + min(Self.longestPause, max(Int(base * (0.5 + random)), wish ?? 0))
  }
}
