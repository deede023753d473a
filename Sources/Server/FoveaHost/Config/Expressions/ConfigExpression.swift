// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaModels

/// The condition that selects apps: terms that all have to be true.
///
/// **Source:** Firebase's reference of condition expressions. The grammar is in docs/how-to/remote-config.md.
package struct ConfigExpression: Sendable, Hashable {
  /// The maximum number of terms of an expression.
  package static let mostTerms = 50

  package let terms: [ConfigTerm]

  /// Reads an expression.
  /// - Throws: The reason why it is invalid, and the position of the character.
  package init(_ text: String) throws(ExpressionFailure) {
    var parser = ExpressionParser(text)
    terms = try parser.parse()
  }

  /// The total number of steps of its patterns.
  package var patternSteps: Int {
    terms.reduce(0) { sum, term in
      guard case .text(_, .matches(let patterns)) = term else { return sum }
      return sum + patterns.reduce(0) { $0 + $1.count }
    }
  }

  /// The reason why a part can never be true on this host; nil if there is none.
  package var note: String? {
    for term in terms {
      switch term {
      case .audience: return "audiences are not available here: no app belongs to one"
      case .unknown(let name): return "\(name) is not supported here: the condition is always false"
      default: continue
      }
    }
    return nil
  }
}

/// One comparison of an expression.
package enum ConfigTerm: Sendable, Hashable {
  case constant(Bool)
  case text(ConfigField, TextTest)
  case version(ConfigField, ComparisonOperator, VersionText)
  case number(ConfigField, ComparisonOperator, Double)
  case time(TimeField, ComparisonOperator, Timestamp)
  case percent(PercentTest)
  case audience(isMember: Bool)
  /// An element that is kept, but never true.
  case unknown(String)
}

/// A property of an app as text: sent by the app, or known to the host.
package enum ConfigField: Sendable, Hashable {
  case system, country, language, appID, version, build, installation
  case property(String)
  case signal(String)
}

/// A time that an expression compares.
package enum TimeField: Sendable, Hashable { case present, firstOpen }

/// A comparison of a string.
package enum TextTest: Sendable, Hashable {
  case isOne([String])
  case isNot(String)
  /// A country or language, ignoring case; each in the form of ``place(_:)``.
  case isPlace([String])
  case contains([String])
  case containsNone([String])
  case matches([PatternProgram])
}

/// The order of two values.
package enum ComparisonOperator: String, Sendable, Hashable, CaseIterable {
  case less = "<"
  case lessOrEqual = "<="
  case equal = "=="
  case notEqual = "!="
  case greaterOrEqual = ">="
  case greater = ">"

  /// Returns whether the operator holds for an order, which is negative if the first value is smaller.
  func holds(_ order: Int) -> Bool {
    switch self {
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .equal: order == 0
    case .notEqual: order != 0
    case .greaterOrEqual: order >= 0
    case .greater: order > 0
    }
  }
}

/// A share of all installations: more than `above`, at most `upTo`, in millionths of a percent.
package struct PercentTest: Sendable, Hashable {
  package var seed: String
  /// Nil for a share without a lower bound.
  package var above: Int?
  /// Nil if there is no upper bound.
  package var upTo: Int?

  /// Returns whether an id is in the share.
  package func holds(_ id: String) -> Bool {
    guard !id.isEmpty else { return false }
    let value = PercentHash.value(seed: seed, id: id)
    return above.map { value > $0 } ?? true && upTo.map { value <= $0 } ?? true
  }

  /// Returns whether the text can be a seed: 0 to 32 letters, digits, `-`, `_` and `.`.
  package static func isSeed(_ text: String) -> Bool {
    text.utf8.count <= 32 && text.isASCIIWord(with: "-._")
  }
}
#endif
