// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension SignalTest {
  /// Kinds by the name of their operator.
  private static let kinds: [(name: String, kind: Kind)] =
    [
      ("STRING_CONTAINS", .contains), ("STRING_DOES_NOT_CONTAIN", .containsNone),
      ("STRING_EXACTLY_MATCHES", .isOne), ("STRING_CONTAINS_REGEX", .matches),
    ]
    + [
      ("LESS_THAN", ComparisonOperator.less), ("LESS_EQUAL", .lessOrEqual), ("EQUAL", .equal),
      ("NOT_EQUAL", .notEqual), ("GREATER_THAN", .greater), ("GREATER_EQUAL", .greaterOrEqual),
    ].flatMap { name, comparison in
      [("NUMERIC_" + name, .number(comparison)), ("SEMANTIC_VERSION_" + name, .version(comparison))]
    }

  /// Reads a test of a template.
  /// - Throws: `invalid`, with the path of the member.
  init(_ json: JSONValue, path: String) throws(HostError) {
    guard case .string(let name)? = json["customSignalOperator"],
      let kind = SignalTest.kinds.first(where: { $0.name == name })?.kind
    else { throw ConfigFault.at("\(path).customSignalOperator", "unknown operator") }
    guard case .string(let key)? = json["customSignalKey"], !key.isEmpty else {
      throw ConfigFault.at("\(path).customSignalKey", "the name of a signal is expected")
    }
    let place = "\(path).targetCustomSignalValues"
    guard case .array(let items)? = json["targetCustomSignalValues"],
      (1...SignalTest.mostTargets).contains(items.count)
    else { throw ConfigFault.at(place, "1 to \(SignalTest.mostTargets) values are expected") }
    var targets: [String] = []
    for (index, item) in items.enumerated() {
      guard case .string(let target) = item, SignalTest.fits(target, kind) else {
        throw ConfigFault.at("\(place)[\(index)]", "the value does not fit \(name)")
      }
      targets.append(target)
    }
    if SignalTest.isSingle(kind), targets.count > 1 {
      throw ConfigFault.at(place, "\(name) accepts only one value")
    }
    do throws(PatternFailure) { try self.init(key: key, kind: kind, targets: targets) } catch {
      throw ConfigFault.at(
        place, "a pattern cannot be used: \(error.reason) (at character \(error.position))")
    }
  }

  /// Converts a term of an expression; nil for a term that does not test a signal.
  init?(_ term: ConfigTerm) {
    switch term {
    case .number(.signal(let key), let comparison, let number):
      guard let test = try? SignalTest(key: key, kind: .number(comparison), targets: ["\(number)"]) else {
        return nil
      }
      self = test
    case .version(.signal(let key), let comparison, let version):
      let text = version.parts.isEmpty ? "0" : version.parts.map(String.init).joined(separator: ".")
      guard let test = try? SignalTest(key: key, kind: .version(comparison), targets: [text]) else {
        return nil
      }
      self = test
    case .text(.signal(let key), let test):
      let kind: Kind
      let targets: [String]
      switch test {
      case .isOne(let values): (kind, targets) = (.isOne, values)
      case .contains(let values): (kind, targets) = (.contains, values)
      case .containsNone(let values): (kind, targets) = (.containsNone, values)
      case .matches(let patterns): (kind, targets) = (.matches, patterns.map(\.text))
      default: return nil
      }
      guard let test = try? SignalTest(key: key, kind: kind, targets: targets) else { return nil }
      self = test
    default: return nil
    }
  }

  private static func isSingle(_ kind: Kind) -> Bool {
    switch kind {
    case .number, .version: true
    default: false
    }
  }

  private static func fits(_ target: String, _ kind: Kind) -> Bool {
    switch kind {
    case .number: ConfigTerm.number(target) != nil
    case .version: VersionText(target) != nil
    default: true
    }
  }

  var json: JSONValue {
    let name = SignalTest.kinds.first { $0.kind == kind }?.name ?? ""
    return .object([
      .init("customSignalOperator", .string(name)), .init("customSignalKey", .string(key)),
      .init("targetCustomSignalValues", .array(targets.map(JSONValue.string))),
    ])
  }
}
#endif
