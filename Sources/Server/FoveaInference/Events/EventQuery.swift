// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import FoveaTracking

/// The parameters of `GET /v1/events`.
struct EventQuery: Sendable, Equatable {
  /// A limit of `after` or `before`: a number or a moment.
  enum Bound: Sendable, Equatable {
    case number(Int)
    /// Milliseconds since 1970.
    case moment(Int64)
  }

  var source: String?
  var label: String?
  var zone: String?
  var type: ObjectEvent.Kind?
  var after: Bound?
  var before: Bound?
  /// The most messages, 1 to 100,000.
  var limit = 100

  /// The names and the schemas of the parameters.
  static let parameters: [(name: String, schema: String)] = [
    ("source", #"{"type": "string"}"#), ("label", #"{"type": "string"}"#), ("zone", #"{"type": "string"}"#),
    ("type", typeSchema), ("after", bound), ("before", bound),
    ("limit", #"{"type": "integer", "minimum": 1, "maximum": 100000, "default": 100}"#),
  ]

  /// The schema of the type of a message.
  static let typeSchema =
    #"{"enum": [\#(ObjectEvent.Kind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))]}"#
  private static let bound =
    #"{"type": "string", "description": "A number of a message, or a moment as in RFC 3339, in UTC"}"#
  private static let mostMessages = 100_000

  init() {}

  /// Reads a query.
  /// - Throws: A refusal that names the parameter.
  init(_ query: RequestQuery) throws(Refusal) {
    var seen: Set<String> = []
    for item in query.items where !["key", "api_key"].contains(item.name) {
      guard seen.insert(item.name).inserted else { throw CallOptions.givenTwice(item.name) }
      switch item.name {
      case "source": source = item.value
      case "label": label = item.value
      case "zone": zone = item.value
      case "type": type = try EventQuery.kind(item.value)
      case "after": after = try EventQuery.bound(item)
      case "before": before = try EventQuery.bound(item)
      case "limit": limit = try EventQuery.limit(item.value)
      default: throw CallOptions.unknown(item.name, among: EventQuery.parameters.map(\.name))
      }
    }
  }

  private static func kind(_ text: String) throws(Refusal) -> ObjectEvent.Kind {
    guard let kind = ObjectEvent.Kind(rawValue: text) else {
      let kinds = ObjectEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw CallOptions.invalid("type", "is '\(text.prefix(40))'", "Use one of \(kinds)")
    }
    return kind
  }

  private static func bound(_ item: RequestQuery.Item) throws(Refusal) -> Bound {
    if let number = Int(item.value), number >= 0 { return .number(number) }
    guard let moment = CivilDate.milliseconds(text: item.value) else {
      throw CallOptions.invalid(
        item.name, "is '\(item.value.prefix(40))'",
        "Give the number of a message, or a moment such as 2026-11-26T10:00:00Z")
    }
    return .moment(moment)
  }

  private static func limit(_ text: String) throws(Refusal) -> Int {
    guard let limit = Int(text), (1...mostMessages).contains(limit) else {
      throw CallOptions.invalid(
        "limit", "is '\(text.prefix(40))'", "Give a whole number from 1 to \(mostMessages)")
    }
    return limit
  }

  // MARK: Matching

  /// The highest number that can match; nil for any.
  var highest: Int? { if case .number(let number) = before { number - 1 } else { nil } }

  /// The lowest number that can match.
  var lowest: Int { if case .number(let number) = after { number < .max ? number + 1 : .max } else { 1 } }

  /// Returns whether a message matches, apart from its number.
  func matches(_ line: EventLine) -> Bool {
    func isEqual(_ wanted: String?, _ member: String) -> Bool { wanted.map { $0 == line[member] } ?? true }
    guard isEqual(source, "source"), isEqual(label, "label"), isEqual(zone, "zone"),
      isEqual(type?.rawValue, "event_type")
    else { return false }
    // A message without a moment is neither before nor after one.
    if case .moment(let limit) = after, line.moment.map({ $0 <= limit }) ?? true { return false }
    if case .moment(let limit) = before, line.moment.map({ $0 >= limit }) ?? true { return false }
    return true
  }
}
#endif
