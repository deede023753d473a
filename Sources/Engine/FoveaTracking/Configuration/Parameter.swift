// SPDX-License-Identifier: Apache-2.0

/// One parameter of a tracker: its name in a file, its key path and its allowed values.
struct Parameter<Set> {
  enum Kind {
    case number(WritableKeyPath<Set, Double>, ClosedRange<Double>)
    case count(WritableKeyPath<Set, Int>, ClosedRange<Int>)
    case optionalCount(WritableKeyPath<Set, Int?>, ClosedRange<Int>)
    case flag(WritableKeyPath<Set, Bool>)
  }

  var name: String
  var kind: Kind

  static func number(
    _ name: String, _ path: WritableKeyPath<Set, Double>, _ range: ClosedRange<Double>
  ) -> Parameter { Parameter(name: name, kind: .number(path, range)) }

  static func count(
    _ name: String, _ path: WritableKeyPath<Set, Int>, _ range: ClosedRange<Int>
  ) -> Parameter { Parameter(name: name, kind: .count(path, range)) }

  static func optionalCount(
    _ name: String, _ path: WritableKeyPath<Set, Int?>, _ range: ClosedRange<Int>
  ) -> Parameter { Parameter(name: name, kind: .optionalCount(path, range)) }

  static func flag(_ name: String, _ path: WritableKeyPath<Set, Bool>) -> Parameter {
    Parameter(name: name, kind: .flag(path))
  }

  /// Validates that the value is in its range.
  func validate(_ set: Set) throws(TrackingError) {
    switch kind {
    case .number(let path, let range): try check(set[keyPath: path], range)
    case .count(let path, let range): try check(set[keyPath: path], range)
    case .optionalCount(let path, let range): if let value = set[keyPath: path] { try check(value, range) }
    case .flag: break
    }
  }

  /// Sets a value from a file.
  func set(_ value: ParameterValue, in set: inout Set) throws(TrackingError) {
    switch (kind, value) {
    case (.number(let path, _), .number(let number)): set[keyPath: path] = number
    case (.count(let path, let range), .number(let number)):
      set[keyPath: path] = try whole(number, range)
    case (.optionalCount(let path, let range), .number(let number)):
      set[keyPath: path] = try whole(number, range)
    case (.optionalCount(let path, _), .null): set[keyPath: path] = nil
    case (.flag(let path), .flag(let flag)): set[keyPath: path] = flag
    case (.number(_, let range), .excessive): throw outside("\(value)", range)
    case (.count(_, let range), .excessive), (.optionalCount(_, let range), .excessive):
      throw outside("\(value)", range)
    default: throw wrongKind(value)
    }
  }

  private func whole(_ number: Double, _ range: ClosedRange<Int>) throws(TrackingError) -> Int {
    if let value = Int(exactly: number) { return value }
    throw TrackingError(
      .invalidParameter,
      "the tracker's '\(name)' is \(number); expected a whole number from \(range.lowerBound)"
        + " to \(range.upperBound)",
      remedy: "Give a value in that range")
  }

  private func check<Value>(_ value: Value, _ range: ClosedRange<Value>) throws(TrackingError) {
    guard !range.contains(value) else { return }
    throw outside("\(value)", range)
  }

  private func outside<Value>(_ text: String, _ range: ClosedRange<Value>) -> TrackingError {
    TrackingError(
      .invalidParameter,
      "the tracker's '\(name)' is \(text); expected \(range.lowerBound) to \(range.upperBound)",
      remedy: "Give a value in that range")
  }

  private func wrongKind(_ value: ParameterValue) -> TrackingError {
    var wanted = "a number"
    if case .flag = kind { wanted = "true or false" }
    return TrackingError(
      .invalidConfiguration, "the tracker's '\(name)' is \(value); it must be \(wanted)",
      remedy: "Write it as \(wanted)")
  }
}
