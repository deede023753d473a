// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation

extension ExpressionParser {
  /// Reads `percent <= 10`, `percent('seed') > 50`, `percent between 0 and 25`.
  mutating func percent() throws(ExpressionFailure) -> ConfigTerm {
    skipBlanks()
    var seed = ""
    if take("(") {
      let start = index
      seed = try quoted("a seed")
      guard PercentTest.isSeed(seed) else {
        throw ExpressionFailure(
          position: start + 1, reason: "a seed is 0 to 32 letters, digits, '-', '_' and '.'")
      }
      try expect(")")
      skipBlanks()
    }
    if take("<=") { return .percent(PercentTest(seed: seed, upTo: try share())) }
    if take(">") {
      if next == "=" { throw failure("a percentage is compared with '<=', '>' or 'between'") }
      return .percent(PercentTest(seed: seed, above: try share()))
    }
    let start = index
    guard name().lowercased() == "between" else {
      index = start
      throw unexpected("'<=', '>' or 'between'")
    }
    let lower = try share()
    let middle = index
    guard name().lowercased() == "and" else {
      index = middle
      throw unexpected("'and'")
    }
    let upper = try share()
    guard lower <= upper else { throw failure("the lower percentage is above the upper one") }
    return .percent(PercentTest(seed: seed, above: lower, upTo: upper))
  }

  /// Reads a percentage from 0 to 100 with at most six decimals, in millionths of a percent.
  private mutating func share() throws(ExpressionFailure) -> Int {
    skipBlanks()
    let start = index
    let whole = digits()
    var decimals = ""
    if next == "." {
      index += 1
      decimals = digits()
    }
    let isNumber = !whole.isEmpty && decimals.utf8.count <= 6 && whole.utf8.count <= 9
    let padded = decimals + String(repeating: "0", count: max(0, 6 - decimals.utf8.count))
    guard isNumber, let value = Int(whole + padded), value <= 100_000_000 else {
      index = start
      throw failure("a percentage is 0 to 100 with at most six decimals")
    }
    return value
  }

  // MARK: Times

  /// Reads `dateTime >= dateTime('2026-01-01T00:00:00', 'Europe/Lisbon')`.
  mutating func present() throws(ExpressionFailure) -> ConfigTerm {
    let comparison = try comparison([.greaterOrEqual, .less])
    return .time(.present, comparison, try dateTime())
  }

  mutating func firstOpen() throws(ExpressionFailure) -> ConfigTerm {
    let comparison = try comparison([.greaterOrEqual, .lessOrEqual, .greater, .less])
    skipBlanks()
    return .time(.firstOpen, comparison, next == "(" ? try moment() : try dateTime())
  }

  private mutating func dateTime() throws(ExpressionFailure) -> Timestamp {
    let start = index
    guard name().lowercased() == "datetime" else {
      index = start
      throw unexpected("dateTime('2026-01-31T00:00:00')")
    }
    return try moment()
  }

  /// Reads `('2026-01-01T00:00:00'[, 'Europe/Lisbon'])`; without a zone, UTC.
  private mutating func moment() throws(ExpressionFailure) -> Timestamp {
    try expect("(")
    skipBlanks()
    let start = index
    let text = try quoted("a time")
    guard text.utf8.count == 19, let local = Timestamp(text: text + "Z") else {
      throw ExpressionFailure(position: start + 1, reason: "a time is written as '2026-01-31T00:00:00'")
    }
    skipBlanks()
    guard take(",") else {
      try expect(")")
      return local
    }
    skipBlanks()
    let place = index
    let name = try quoted("a time zone")
    guard let zone = TimeZone(listed: name) else {
      throw ExpressionFailure(
        position: place + 1,
        reason: "there is no time zone '\(ConfigFault.shortened(name))'; use a name such as 'Europe/Lisbon'")
    }
    try expect(")")
    return zone.moment(ofLocal: local)
  }
}

extension TimeZone {
  /// The names of the IANA list without an area.
  private static let names = Set(
    """
    CET CST6CDT Cuba EET EST EST5EDT Egypt Eire Factory GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST \
    Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT \
    Poland Portugal ROC ROK Singapore Turkey UCT UTC Universal W-SU WET Zulu
    """.split(separator: " "))
  /// Names with an area that Foundation accepts but the list does not contain.
  private static let unlisted: Set = ["Canada/East-Saskatchewan", "Etc/Unknown", "US/Pacific-New"]

  /// Creates the zone of a name of the IANA list.
  ///
  /// Foundation accepts other names too, which surprise most users: "BST" is Bangladesh, and "GMT+8" is
  /// Etc/GMT-8 in the list.
  fileprivate init?(listed name: String) {
    let isListed =
      name.contains("/")
      ? !name.hasPrefix("SystemV/") && !TimeZone.unlisted.contains(name)
      : TimeZone.names.contains(Substring(name))
    guard isListed else { return nil }
    self.init(identifier: name)
  }

  /// Returns the time at which the zone's clocks show a local time, given as if it were UTC.
  ///
  /// Returns the first moment if a local time occurs twice; a skipped local time is read as if the clocks had
  /// not changed.
  fileprivate func moment(ofLocal local: Timestamp) -> Timestamp {
    func offset(at moment: Int64) -> Int64 {
      Int64(secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment))))
    }
    let seconds = local.milliseconds / 1000
    // No zone is more than a day from UTC, and none changes twice in two days.
    let before = offset(at: seconds - 86_400)
    let after = offset(at: seconds + 86_400)
    let isBefore = offset(at: seconds - before) == before || offset(at: seconds - after) != after
    return Timestamp(milliseconds: local.milliseconds - (isBefore ? before : after) * 1000)
  }
}
#endif
