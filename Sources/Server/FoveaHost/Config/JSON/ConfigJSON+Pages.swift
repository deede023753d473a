// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension ConfigJSON {
  /// The value over several lines, two spaces for each level, for people who edit it.
  package var page: String {
    var text = ""
    write(to: &text, indent: 0)
    return text + "\n"
  }

  private func write(to text: inout String, indent: Int) {
    let inner = String(repeating: " ", count: indent + 2)
    let outer = String(repeating: " ", count: indent)
    switch self {
    case .object(let members) where !members.isEmpty:
      text += "{\n"
      for (index, member) in members.enumerated() {
        text += inner + ConfigJSON.line(.string(member.key)) + ": "
        member.value.write(to: &text, indent: indent + 2)
        text += index < members.count - 1 ? ",\n" : "\n"
      }
      text += outer + "}"
    case .array(let values) where !values.isEmpty:
      text += "[\n"
      for (index, value) in values.enumerated() {
        text += inner
        value.write(to: &text, indent: indent + 2)
        text += index < values.count - 1 ? ",\n" : "\n"
      }
      text += outer + "]"
    default: text += ConfigJSON.line(self)
    }
  }

  private static func line(_ value: ConfigJSON) -> String {
    var json = JSONText()
    value.append(to: &json)
    return json.text
  }

  /// The template of an answer of ``HostClient/config(_:version:)``, with its `etag` as first member.
  package static func template(of reply: HostClient.Reply) throws(HostError) -> ConfigJSON {
    let answer = try ConfigJSON(Array(reply.json.utf8), name: "The host's answer")
    var members: [Member] = []
    if let tag = answer[key: "etag"] { members.append(Member("etag", tag)) }
    if case .object(let inner)? = answer[key: "template"] { members += inner }
    return .object(members)
  }
}
#endif
