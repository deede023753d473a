// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import FoveaTesting
import Testing

@Suite struct ExpressionTests {
  static let accepted = [
    "true", "FALSE", "device.os == 'ios'", "device.os=='web'", "device.country in ['US', 'CA']",
    "device.language in ['en']", "app.id == '1:1:android:a'", "app.id in ['a', 'b']",
    "app.version.>=(['2.1.0'])", "app.build.!=([ '7' ])", "app.version.contains(['a', 'b'])",
    "app.version.matches(['^2\\.', '(a+)+$'])", "app.firebaseInstallationId in ['x']",
    "firebaseInstallationId in ['x']", "app.firstOpenTimestamp >= ('2025-01-01T00:00:00')",
    "app.firstOpenTimestamp <= ('2025-01-01T00:00:00', 'Europe/Lisbon')",
    "firstOpenTimestamp >= dateTime('2025-01-01T00:00:00', 'UTC')",
    "dateTime < dateTime('2025-01-01T00:00:00')", "device.dateTime >= datetime('2025-01-01T00:00:00')",
    "app.audiences.inAtLeastOne(['a'])", "app.importedSegments.notInAll(['a'])",
    "app.userProperty['x'] == 3", "app.customSignal['x'] <= -3.25",
    "app.customSignal['x'].exactlyMatches(['a'])",
    "version(app.customSignal['v']) >= '1.2.0'", "app.browserAndVersion.matches('x') && true",
    "percent <= 10", "percent > 50.5", "percent between 0 and 25", "percent('seed_1') <= 100",
    "PERCENT <= 0",
    "true && true", "device.os == 'ios' && percent <= 10 && app.version.<(['3'])", "  true  ",
    (0..<50).map { _ in "true" }.joined(separator: " && "),
  ]

  @Test(arguments: accepted)
  func `expressions of the grammar are read`(text: String) throws {
    _ = try ConfigExpression(text)
  }

  static let refused: [(String, Int, String)] = [
    ("", 1, "expected an element such as 'app.version', but the expression ends"),
    ("true || false", 6, "terms are joined only by '&&', not by '||'; give a condition for each"),
    ("!true", 1, "'!' is not allowed here; invert the comparison"),
    ("(true)", 1, "parentheses around terms are not allowed"),
    ("true&&true", 5, "'&&' needs a space on each side"),
    ("true &&", 8, "expected an element such as 'app.version', but the expression ends"),
    ("true true", 6, "expected '&&' or the end of the expression, got 't'"),
    ("device.country == 'US'", 16, "expected 'in', got '='"),
    ("device.os == 'windows'", 14, "an operating system is 'ios', 'android' or 'web'"),
    ("device.os == 'ios", 14, "the text has no closing quote"),
    ("device.o == 'ios'", 1, "'device.o' is not an element; did you mean 'device.os'?"),
    (
      "app.version >= '1.0'", 12,
      "expected '.' and a method directly after 'app.version', as in app.version.>=(['1.0']), got ' '"
    ),
    ("app.version.>= (['1.0'])", 15, "expected '(' directly after the operator, got ' '"),
    ("app.version.>=(['1.a'])", 17, "a version is numbers separated by dots, such as '1.2.0'"),
    ("app.version.>=(['1', '2'])", 20, "one version is expected"),
    (
      "app.version.like(['1'])", 13,
      "expected 'exactlyMatches', 'contains', 'notContains' or 'matches', got 'l'"
    ),
    (
      "app.version.matches(['ok', '('])", 21,
      "pattern 2 cannot be used: the group has no ')' (at character 1)"
    ),
    ("app.customSignal['x'] == 'a'", 26, "expected a number, got '''"),
    ("app.customSignal[''] == 1", 18, "the name is empty"),
    (
      "app.customSignal['x'] == 123456789012345678901", 26,
      "a number has at most 20 digits before the point and 10 after it"
    ),
    (
      "version(app.customSignal['v']) >= '1.2.3.4.5.6'", 35,
      "a version is at most five numbers separated by dots"
    ),
    ("percent <= 101", 12, "a percentage is 0 to 100 with at most six decimals"),
    ("percent <= -1", 12, "a percentage is 0 to 100 with at most six decimals"),
    ("percent >= 10", 10, "a percentage is compared with '<=', '>' or 'between'"),
    ("percent between 20 and 10", 26, "the lower percentage is above the upper one"),
    ("percent('a b') <= 1", 9, "a seed is 0 to 32 letters, digits, '-', '_' and '.'"),
    (
      "dateTime >= dateTime('2025-01-01T00:00:00', 'Europe/Nowhere')", 45,
      "there is no time zone 'Europe/Nowhere'; use a name such as 'Europe/Lisbon'"
    ),
    (
      "dateTime >= dateTime('2025-01-01T00:00:00', '../../../etc/passwd')", 45,
      "there is no time zone '../../../etc/passwd'; use a name such as 'Europe/Lisbon'"
    ),
    ("dateTime < dateTime('2025-02-30T00:00:00')", 21, "a time is written as '2026-01-31T00:00:00'"),
    ("dateTime == dateTime('2025-01-01T00:00:00')", 10, "expected '>=' or '<', got '='"),
    (
      (0..<51).map { _ in "true" }.joined(separator: " && "), 401,
      "the expression has more than 50 terms"
    ),
  ]

  @Test(arguments: refused)
  func `anything else is rejected with its place and reason`(text: String, position: Int, reason: String) {
    let failure = #expect(throws: ExpressionFailure.self) { try ConfigExpression(text) }
    #expect(failure?.position == position)
    #expect(failure?.reason == reason)
  }

  // 1,800,000,000 s is 2027-01-15T08:00:00Z.
  private static let now = Timestamp(milliseconds: 1_800_000_000_000)

  private static var unit: ConfigUnit {
    var unit = ConfigUnit(installation: "user-0", appID: "1:1:ios:ab")
    unit.country = "US"
    unit.language = "en-US"
    unit.version = "2.10.1"
    unit.build = "77"
    unit.firstOpened = Timestamp(text: "2026-01-01T00:00:00.000Z")
    unit.properties = ["level": "7"]
    unit.signals = ["plan": "gold card", "v": "1.3", "zero": "0", "text": "x"]
    return unit
  }

  static let evaluated: [(String, Bool)] = [
    ("true", true), ("false", false), ("device.os == 'ios'", true), ("device.os != 'ios'", false),
    ("device.os == 'android'", false), ("device.country in ['CA', 'us']", true),
    ("device.country in ['CA']", false),
    ("device.language in ['en']", true), ("device.language in ['en-GB']", false),
    ("device.language in ['e']", false), ("device.language in ['en_us']", true),
    ("device.language in ['EN-US-x', 'EN']", true), ("device.language in ['en-U']", false),
    ("device.language in ['en-us-']", false), ("device.language in ['']", false),
    ("app.id == '1:1:ios:ab'", true), ("app.version.>=(['2.9'])", true),
    ("app.version.<(['2.10.1.1'])", true),
    ("app.version.==(['2.10.1.0'])", true), ("app.version.contains(['.10'])", true),
    ("app.version.notContains(['.10'])", false), ("app.version.matches(['^2\\.1'])", true),
    ("app.build.>(['76'])", true), ("app.firebaseInstallationId in ['user-0']", true),
    ("app.firstOpenTimestamp >= ('2026-01-01T00:00:00')", true),
    ("app.firstOpenTimestamp > ('2026-01-01T00:00:00')", false),
    ("app.firstOpenTimestamp < ('2026-01-01T00:00:00', 'America/New_York')", true),
    ("dateTime >= dateTime('2027-01-15T08:00:00')", true),
    ("dateTime < dateTime('2027-01-15T08:00:00')", false),
    ("dateTime < dateTime('2027-01-15T08:00:00', 'America/New_York')", true),
    ("app.audiences.inAtLeastOne(['a'])", false), ("app.audiences.notInAll(['a'])", true),
    ("app.userProperty['level'] >= 7", true), ("app.userProperty['level'] != 7.0", false),
    ("app.userProperty['none'] != 7", false), ("app.userProperty['none'].notContains(['a'])", false),
    ("app.customSignal['zero'] == 0", true), ("app.customSignal['text'] == 0", false),
    ("app.customSignal['plan'].exactlyMatches(['gold card'])", true),
    ("version(app.customSignal['v']) > '1.2.9'", true), ("app.browserAndVersion.x", false),
    // 61.071789 % without a seed.
    ("percent <= 61.071789", true), ("percent <= 61.071788", false), ("percent > 61.071788", true),
    ("percent between 61.071788 and 61.071789", true), ("percent between 61.071789 and 100", false),
    // 18.939258 %.
    ("percent('model_ab') <= 18.939258", true), ("percent('model_ab') > 18.939258", false),
    ("device.os == 'ios' && device.country in ['US']", true), ("device.os == 'ios' && false", false),
  ]

  @Test(arguments: evaluated)
  func `an expression is true for the apps it describes`(text: String, expected: Bool) throws {
    #expect(try ConfigExpression(text).holds(for: Self.unit, at: Self.now) == expected)
  }

  @Test func `an app without an id is in no percentage, and a missing field makes a term false`() throws {
    let unit = ConfigUnit(installation: "", appID: "x")
    for text in [
      "percent <= 100", "percent > 0", "device.os == 'ios'", "device.os != 'ios'", "app.version.!=(['1'])",
      "device.country in ['']", "app.firstOpenTimestamp < ('2999-01-01T00:00:00')",
    ] {
      #expect(try !ConfigExpression(text).holds(for: unit, at: Self.now), "\(text)")
    }
  }

  @Test func `mutated expressions are read or rejected, and nothing else`() {
    var mutator = TextMutator(seed: 29)
    for round in 0..<2_000 {
      let text = Self.accepted[round % Self.accepted.count]
      let bytes = mutator.mutated(Array(text.utf8))
      guard let expression = try? ConfigExpression(String(decoding: bytes, as: UTF8.self)) else { continue }
      _ = expression.holds(for: Self.unit, at: Self.now)
    }
  }
}
#endif
