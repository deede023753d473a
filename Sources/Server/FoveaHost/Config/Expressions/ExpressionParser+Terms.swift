// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension ExpressionParser {
  /// The elements by name; special rules read those followed by brackets or a method.
  static let elements = [
    "app.audiences", "app.browserAndVersion", "app.build", "app.customSignal", "app.firebaseInstallationId",
    "app.firstOpenTimestamp", "app.id", "app.importedSegments", "app.operatingSystemAndVersion",
    "app.userProperty", "app.version", "dateTime", "device.country", "device.dateTime", "device.language",
    "device.os", "false", "firebaseInstallationId", "firstOpenTimestamp", "percent", "true", "version",
  ]

  /// Reads one term.
  mutating func term() throws(ExpressionFailure) -> ConfigTerm {
    if next == "!" { throw failure("'!' is not allowed here; invert the comparison") }
    if next == "(" { throw failure("parentheses around terms are not allowed") }
    let start = index
    let name = elementName()
    switch name {
    case "device.os": return try system()
    case "device.country": return .text(.country, .isPlace(try inList().map(TextTest.place)))
    case "device.language": return .text(.language, .isPlace(try inList().map(TextTest.place)))
    case "app.id": return try appID()
    case "app.version": return try methods(of: .version, name)
    case "app.build": return try methods(of: .build, name)
    case "app.firebaseInstallationId", "firebaseInstallationId":
      return .text(.installation, .isOne(try inList()))
    case "app.firstOpenTimestamp", "firstOpenTimestamp": return try firstOpen()
    case "dateTime", "device.dateTime": return try present()
    case "app.audiences", "app.importedSegments": return try audiences()
    case "app.userProperty": return try keyed(.property(try key()))
    case "app.customSignal": return try keyed(.signal(try key()))
    case "app.operatingSystemAndVersion", "app.browserAndVersion":
      skipUnknown()
      return .unknown(name)
    case "version": return try versionOfSignal()
    default: break
    }
    switch name.lowercased() {
    case "true": return .constant(true)
    case "false": return .constant(false)
    case "percent": return try percent()
    default: break
    }
    index = start
    guard !name.isEmpty else { throw unexpected("an element such as 'app.version'") }
    let near = NameDistance.nearest(to: name, among: ExpressionParser.elements)
    throw failure(
      "'\(ConfigFault.shortened(name))' is not an element"
        + (near.isEmpty ? "" : "; did you mean \(near.map { "'\($0)'" }.joined(separator: ", "))?"))
  }

  /// Reads a name without a following method: `app.version.contains` has the element `app.version`.
  private mutating func elementName() -> String {
    let start = index
    let whole = name()
    for element in [
      "app.version", "app.build", "app.audiences", "app.importedSegments", "app.operatingSystemAndVersion",
      "app.browserAndVersion",
    ]
    where whole.hasPrefix(element + ".") {
      index = start + element.unicodeScalars.count
      return element
    }
    return whole
  }

  /// Reads `['name']` of a property or signal.
  private mutating func key() throws(ExpressionFailure) -> String {
    try expect("[")
    let start = index
    let key = try quoted("a name")
    guard !key.isEmpty else { throw ExpressionFailure(position: start + 1, reason: "the name is empty") }
    try expect("]")
    return key
  }

  private mutating func inList() throws(ExpressionFailure) -> [String] {
    skipBlanks()
    let start = index
    guard name() == "in" else {
      index = start
      throw unexpected("'in'")
    }
    return try list()
  }

  private mutating func system() throws(ExpressionFailure) -> ConfigTerm {
    let comparison = try comparison([.equal, .notEqual])
    skipBlanks()
    let start = index
    let system = try quoted("an operating system")
    guard ["ios", "android", "web"].contains(system) else {
      throw ExpressionFailure(position: start + 1, reason: "an operating system is 'ios', 'android' or 'web'")
    }
    return .text(.system, comparison == .equal ? .isOne([system]) : .isNot(system))
  }

  private mutating func appID() throws(ExpressionFailure) -> ConfigTerm {
    skipBlanks()
    if starts(with: "in") { return .text(.appID, .isOne(try inList())) }
    _ = try comparison([.equal])
    return .text(.appID, .isOne([try quoted("an app's id")]))
  }

  // MARK: Methods

  /// Reads `.contains([…])` and similar, or a comparison of versions such as `.>=(['1.2'])`.
  private mutating func methods(
    of field: ConfigField, _ name: String
  ) throws(ExpressionFailure) -> ConfigTerm {
    guard take(".") else {
      throw unexpected("'.' and a method directly after '\(name)', as in \(name).>=(['1.0'])")
    }
    for sign in ["<=", ">=", "==", "!=", "<", ">"] {
      guard starts(with: sign), let comparison = ComparisonOperator(rawValue: sign) else { continue }
      index += sign.utf8.count
      return .version(field, comparison, try versionArgument())
    }
    return .text(field, try textMethod())
  }

  private mutating func versionArgument() throws(ExpressionFailure) -> VersionText {
    guard take("(") else { throw unexpected("'(' directly after the operator") }
    try expect("[")
    skipBlanks()
    let start = index
    let text = try quoted("a version")
    guard let version = VersionText(text) else {
      throw ExpressionFailure(
        position: start + 1, reason: "a version is numbers separated by dots, such as '1.2.0'")
    }
    skipBlanks()
    if next == "," { throw failure("one version is expected") }
    try expect("]")
    try expect(")")
    return version
  }

  private mutating func textMethod() throws(ExpressionFailure) -> TextTest {
    let start = index
    let method = wordHere()
    guard ["exactlyMatches", "contains", "notContains", "matches"].contains(method) else {
      index = start
      throw unexpected("'exactlyMatches', 'contains', 'notContains' or 'matches'")
    }
    guard take("(") else { throw unexpected("'(' directly after '\(method)'") }
    skipBlanks()
    let listStart = index
    let values = try list()
    try expect(")")
    switch method {
    case "exactlyMatches": return .isOne(values)
    case "contains": return .contains(values)
    case "notContains": return .containsNone(values)
    default: break
    }
    var patterns: [PatternProgram] = []
    for (number, value) in values.enumerated() {
      do throws(PatternFailure) { patterns.append(try PatternProgram(value)) } catch {
        throw ExpressionFailure(
          position: listStart + 1,
          reason: "pattern \(number + 1) cannot be used: \(error.reason) (at character \(error.position))")
      }
    }
    return .matches(patterns)
  }

  /// Reads the letters that follow without a space.
  private mutating func wordHere() -> String {
    var text = ""
    while let next, ExpressionParser.isWord(next) {
      text.unicodeScalars.append(next)
      index += 1
    }
    return text
  }

  private mutating func audiences() throws(ExpressionFailure) -> ConfigTerm {
    guard take(".") else { throw unexpected("'.inAtLeastOne' or another method directly after the name") }
    let start = index
    let method = wordHere()
    guard ["inAtLeastOne", "inAll", "notInAtLeastOne", "notInAll"].contains(method) else {
      index = start
      throw unexpected("'inAtLeastOne', 'inAll', 'notInAtLeastOne' or 'notInAll'")
    }
    guard take("(") else { throw unexpected("'(' directly after '\(method)'") }
    _ = try list()
    try expect(")")
    return .audience(isMember: !method.hasPrefix("not"))
  }

  // MARK: Properties and signals

  private mutating func keyed(_ field: ConfigField) throws(ExpressionFailure) -> ConfigTerm {
    if take(".") { return .text(field, try textMethod()) }
    let comparison = try comparison(ComparisonOperator.allCases)
    return .number(field, comparison, try number())
  }

  /// Reads a number with at most 20 digits before the point and 10 after it.
  private mutating func number() throws(ExpressionFailure) -> Double {
    skipBlanks()
    let start = index
    var text = ""
    if let sign = next, sign == "-" || sign == "+" {
      text.unicodeScalars.append(sign)
      index += 1
    }
    let whole = digits()
    text += whole
    var decimals = ""
    if next == "." {
      index += 1
      decimals = digits()
      text += "." + (decimals.isEmpty ? "0" : decimals)
    }
    guard !(whole.isEmpty && decimals.isEmpty) else {
      index = start
      throw unexpected("a number")
    }
    guard whole.utf8.count <= 20, decimals.utf8.count <= 10 else {
      throw ExpressionFailure(
        position: start + 1, reason: "a number has at most 20 digits before the point and 10 after it")
    }
    guard let value = Double(whole.isEmpty ? text.replacing(".", with: "0.", maxReplacements: 1) : text)
    else {
      index = start
      throw unexpected("a number")
    }
    return value
  }

  mutating func digits() -> String {
    var text = ""
    while let next, PatternSet.digits.contains(next) {
      text.unicodeScalars.append(next)
      index += 1
    }
    return text
  }

  /// Reads `version(app.customSignal['v']) >= '1.2.0'`.
  private mutating func versionOfSignal() throws(ExpressionFailure) -> ConfigTerm {
    try expect("(")
    let start = index
    guard name() == "app.customSignal" else {
      index = start
      throw unexpected("'app.customSignal'")
    }
    let field = ConfigField.signal(try key())
    try expect(")")
    let comparison = try comparison(ComparisonOperator.allCases)
    skipBlanks()
    let begin = index
    guard let version = VersionText(try quoted("a version"), mostParts: 5) else {
      throw ExpressionFailure(
        position: begin + 1, reason: "a version is at most five numbers separated by dots")
    }
    return .version(field, comparison, version)
  }

  /// Skips a comparison of unknown form, up to the next `&&` outside of quotes.
  private mutating func skipUnknown() {
    var isQuoted = false
    while let scalar = next {
      if scalar == "'" { isQuoted.toggle() }
      if !isQuoted, starts(with: "&&") || starts(with: "||") { return }
      index += 1
    }
  }
}
#endif
