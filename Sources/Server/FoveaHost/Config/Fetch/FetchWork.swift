// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The work of a fetch in steps: evaluating conditions, and writing values.
///
/// A step takes 3 to 15 ns: one step of a pattern's machine, or the comparison of a few bytes. The counts are
/// upper bounds. They depend only on the template and the experiments, so they are added up when these
/// change; a fetch only multiplies them by the lengths of what the app has sent.
package struct FetchWork: Sendable, Equatable {
  /// The steps that do not depend on what the app sends.
  package private(set) var fixed = 0
  /// The steps for each character of a field that the app sends.
  package private(set) var perCharacter: [ConfigField: Int] = [:]

  /// The maximum number of steps of a fetch that is answered at once, in less than a millisecond.
  package static let short = 50_000

  /// The steps of hashing an id.
  private static let hash = 100
  /// The steps of writing a byte of a value: twice as JSON, once into the `ETag`, and as gzip.
  private static let writing = 4

  package init() {}

  /// Adds up the work of a template.
  package init(of template: ConfigTemplate) {
    for condition in template.conditions {
      fixed += 10
      if case .expression(let expression) = condition.rule { add(expression) }
    }
    for parameter in template.allParameters { add(parameter) }
  }

  /// Returns the maximum number of steps for an app.
  package func steps(for unit: ConfigUnit) -> Int {
    unit.fields.reduce(fixed) { sum, field in
      sum + (perCharacter[field.name] ?? 0) * (field.value.utf8.count + 1)
    }
  }

  /// The maximum number of steps for any app.
  package var most: Int {
    fixed + perCharacter.values.reduce(0, +) * (ConfigExpression.longestSearched + 1)
  }

  /// Refuses more work than ``ConfigLimits/fetchSteps``.
  /// - Parameters:
  ///   - path: The member that the error names.
  ///   - cause: The cause of work that is not the member's.
  /// - Throws: `invalid`, with both numbers.
  func check(_ path: String, _ cause: String = "") throws(HostError) {
    guard most > ConfigLimits.fetchSteps else { return }
    throw ConfigFault.at(
      path,
      "\(cause)a fetch takes up to \(DecimalText.grouped(most)) steps; at most "
        + "\(DecimalText.grouped(ConfigLimits.fetchSteps)) are allowed",
      remedy: "Use fewer or shorter patterns, lists of values and terms")
  }

  /// Adds the work of an experiment on parameters.
  mutating func add(_ variants: [Experiment.Variant], _ condition: ConfigExpression?) {
    fixed += 2 * FetchWork.hash
    if let condition { add(condition) }
    let sizes = variants.map { $0.parameters.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } }
    fixed += FetchWork.writing * (sizes.max() ?? 0)
  }

  private mutating func add(_ expression: ConfigExpression) {
    for term in expression.terms { add(term) }
  }

  private mutating func add(_ term: ConfigTerm) {
    fixed += 2
    switch term {
    case .constant, .time, .audience, .unknown: break
    case .version(let field, _, _), .number(let field, _, _): add(40, field, 2)
    case .percent: add(FetchWork.hash, .installation, 1)
    case .text(let field, let test):
      let work = test.work
      add(work.fixed, field, work.perCharacter)
    }
  }

  private mutating func add(_ steps: Int, _ field: ConfigField, _ perCharacter: Int) {
    fixed += steps
    if perCharacter > 0 { self.perCharacter[field, default: 0] += perCharacter }
  }

  private mutating func add(_ parameter: ConfigParameter) {
    let values = parameter.conditionals.map(\.value) + (parameter.standard.map { [$0] } ?? [])
    fixed += 20
    for value in values {
      fixed += 10
      switch value.kind {
      case .text, .inApp, .personalized: break
      case .rollout: add(FetchWork.hash, .installation, 1)
      case .experiment(_, let variants): fixed += 10 + 2 * variants.count
      }
    }
    // An app gets one of the values.
    let longest = values.flatMap(\.texts).map(\.utf8.count).max() ?? 0
    fixed += FetchWork.writing * (parameter.key.utf8.count + longest)
  }
}

extension TextTest {
  /// The steps of a test, and those for each character of the text.
  fileprivate var work: (fixed: Int, perCharacter: Int) {
    func bytes(_ texts: [String], and each: Int) -> Int { texts.reduce(0) { $0 + $1.utf8.count + each } }
    return switch self {
    case .isOne(let values): (bytes(values, and: 2), 0)
    case .isNot(let value): (bytes([value], and: 2), 0)
    case .isPlace(let places): (40 + bytes(places, and: 4), 2)
    case .contains(let parts), .containsNone(let parts): (bytes(parts, and: 20), parts.count)
    case .matches(let patterns):
      (patterns.reduce(0) { $0 + $1.count + 20 }, patterns.reduce(0) { $0 + $1.count + 2 })
    }
  }
}
#endif
