// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The members that a template may have, on every level.
///
/// A member with another name would be dropped or have no effect, and publishing the template would remove
/// values from apps.
///
/// **Source:** Firebase Remote Config REST API, `v1.projects.namespaces` and `RemoteConfig`; `Condition`,
/// `ExperimentParameterValue` and `etag` of the Admin SDK for Node.js 13.
indirect enum TemplateMembers: Sendable {
  /// A value whose members are not checked here.
  case value
  /// An object with only these members.
  case object([(name: String, value: TemplateMembers)])
  /// An object whose members have names chosen by the user.
  case named(TemplateMembers)
  case list(TemplateMembers)
  /// A condition of a server's template, which may hold others.
  case serverCondition

  /// A whole template.
  static let template = TemplateMembers.object([
    ("conditions", .list(condition)), ("parameters", .named(parameter)),
    ("parameterGroups", .named(.object([("description", .value), ("parameters", .named(parameter))]))),
    ("version", version),
    // Added by commands that export templates.
    ("etag", .value),
  ])

  /// Refuses a template with an unknown member on any level.
  /// - Throws: `invalid`, with the path of the member and the nearest name.
  func check(_ json: JSONValue, path: String = "") throws(HostError) {
    switch (self, json) {
    case (.object(let known), .object(let members)):
      for member in members {
        let place = path.isEmpty ? member.key : "\(path).\(member.key)"
        guard let value = known.first(where: { $0.name == member.key })?.value else {
          throw TemplateMembers.unknown(member.key, at: place, among: known.map(\.name))
        }
        try value.check(member.value, path: place)
      }
    case (.named(let value), .object(let members)):
      for member in members { try value.check(member.value, path: "\(path).\(member.key)") }
    case (.list(let value), .array(let items)):
      for (index, item) in items.enumerated() { try value.check(item, path: "\(path)[\(index)]") }
    case (.serverCondition, _): try TemplateMembers.checkCondition(json, path)
    // The reader refuses values of a wrong form.
    default: break
    }
  }

  private static func checkCondition(_ json: JSONValue, _ path: String) throws(HostError) {
    let nested = TemplateMembers.object([("conditions", .list(.serverCondition))])
    let bounds = TemplateMembers.names(["microPercentLowerBound", "microPercentUpperBound"])
    let percent = TemplateMembers.object([
      ("percentOperator", .value), ("seed", .value), ("microPercent", .value),
      ("microPercentRange", bounds),
    ])
    let signal = TemplateMembers.names([
      "customSignalOperator", "customSignalKey", "targetCustomSignalValues",
    ])
    try TemplateMembers.object([
      ("orCondition", nested), ("andCondition", nested), ("true", .value), ("false", .value),
      ("percent", percent), ("customSignal", signal),
    ]).check(json, path: path)
  }

  private static let condition = TemplateMembers.object([
    ("name", .value), ("expression", .value), ("tagColor", .value), ("condition", .serverCondition),
  ])

  private static let parameter = TemplateMembers.object([
    ("defaultValue", parameterValue), ("conditionalValues", .named(parameterValue)),
    ("description", .value), ("valueType", .value),
  ])

  private static let parameterValue = TemplateMembers.object([
    ("value", .value), ("useInAppDefault", .value), ("personalizationValue", names(["personalizationId"])),
    ("rolloutValue", names(["rolloutId", "value", "percent"])),
    (
      "experimentValue",
      .object([
        ("experimentId", .value), ("variantValue", .list(names(["variantId", "value", "noChange"]))),
        ("exposurePercent", .value),
      ])
    ),
  ])

  private static let version = TemplateMembers.object([
    ("versionNumber", .value), ("updateTime", .value),
    ("updateUser", names(["name", "email", "imageUrl"])),
    ("description", .value), ("updateOrigin", .value), ("updateType", .value), ("rollbackSource", .value),
    ("isLegacy", .value),
  ])

  private static func names(_ names: [String]) -> TemplateMembers {
    .object(names.map { ($0, .value) })
  }

  private static func unknown(_ name: String, at place: String, among names: [String]) -> HostError {
    let near = NameDistance.nearest(to: name, among: names).first
    return ConfigFault.at(
      place,
      "unknown member"
        + (near.map { "; did you mean '\($0)'?" } ?? "; known members: \(names.joined(separator: ", "))"))
  }
}
#endif
