// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP

/// The filter of the audit log's page, from its URL.
struct AuditFilter {
  private static let names = ["text", "actor", "action", "model", "from", "until"]

  private let fields: [String: String]
  private let below: String?
  private let above: String?

  init(_ fields: RequestQuery) {
    var found: [String: String] = [:]
    for name in Self.names {
      if let value = fields[name], !value.isEmpty { found[name] = value }
    }
    self.fields = found
    below = fields["below"]
    above = fields["above"]
  }

  /// - Throws: `invalid` for an invalid day or number.
  func query(_ project: String) throws(HostError) -> AuditQuery {
    var query = AuditQuery(project: project)
    query.text = fields["text"] ?? ""
    query.actor = fields["actor"] ?? ""
    query.action = fields["action"] ?? ""
    query.model = fields["model"] ?? ""
    query.from = try fields["from"].map(Self.start)
    query.until = try fields["until"].map { day throws(HostError) in
      try Self.start(of: day).advanced(seconds: 86_400)
    }
    query.below = try below.map(Self.number)
    query.above = try above.map(Self.number)
    return query
  }

  /// Returns the filter as the query of a URL; `place` names the row at which a page starts.
  func text(where place: (name: String, number: Int64)?) -> String {
    var items = Self.names.compactMap { name in fields[name].map { "\(name)=\(PercentText.encode($0))" } }
    if let place { items.append("\(place.name)=\(place.number)") }
    return items.isEmpty ? "" : "?" + items.joined(separator: "&")
  }

  /// Returns the fields for the form of the page.
  func values(actions: [String]) -> [String: any Sendable] {
    var values: [String: any Sendable] = fields
    values["isOpen"] = !fields.isEmpty
    values["actions"] = actions.map { action -> [String: any Sendable] in
      ["name": action, "isChosen": action == fields["action"]]
    }
    return values
  }

  private static func start(of day: String) throws(HostError) -> Timestamp {
    guard day.utf8.count == 10, let time = Timestamp(text: day + "T00:00:00Z") else {
      throw HostError(.invalid, "'\(day.prefix(40))' is not a day", remedy: "Write it as 2027-06-15")
    }
    return time
  }

  private static func number(_ text: String) throws(HostError) -> Int64 {
    guard let number = Int64(text) else {
      throw HostError(
        .invalid, "The row '\(text.prefix(40))' is not a number", remedy: "Open the audit log again")
    }
    return number
  }
}
#endif
