// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore

extension JSONValue {
  /// Reads text strictly: JSON of RFC 8259 in UTF-8, without duplicate names in an object, nested at most 40
  /// levels deep.
  /// - Parameters:
  ///   - bytes: The text.
  ///   - name: The name of the text in messages, for example `The template`.
  /// - Throws: `invalid`, with the position of the first error.
  package init(strict bytes: [UInt8], name: String) throws(HostError) {
    var reader = JSONReader(bytes: bytes, name: name)
    // A parameter's value may be most of a template.
    reader.longestString = 1 << 22
    reader.maximumDepth = 40
    reader.refusesTwins = true
    do throws(JSONFailure) { self = try reader.wholeValue() } catch {
      throw HostError(.invalid, error.message, remedy: "Correct the text, and send it again")
    }
  }

  /// Returns the template of a reply of ``HostClient/config(_:version:)``, with its `etag` as first member.
  package static func template(of reply: HostClient.Reply) throws(HostError) -> JSONValue {
    let answer = try JSONValue(strict: Array(reply.json.utf8), name: "The host's answer")
    var members: [Member] = []
    if let tag = answer["etag"] { members.append(Member("etag", tag)) }
    if case .object(let inner)? = answer["template"] { members += inner }
    return .object(members)
  }

  /// The value on several lines, indented by two spaces per level, for editing.
  package var page: String {
    var text = ""
    write(to: &text, indent: 0)
    return text + "\n"
  }

  private func write(to text: inout String, indent: Int) {
    switch self {
    case .object(let members) where !members.isEmpty:
      JSONValue.write(members, "{", "}", to: &text, indent) { member, text in
        text += JSONValue.string(member.key).line + ": "
        member.value.write(to: &text, indent: indent + 2)
      }
    case .array(let values) where !values.isEmpty:
      JSONValue.write(values, "[", "]", to: &text, indent) { $0.write(to: &$1, indent: indent + 2) }
    default: text += line
    }
  }

  private static func write<Item>(
    _ items: [Item], _ open: String, _ close: String, to text: inout String, _ indent: Int,
    _ each: (Item, inout String) -> Void
  ) {
    text += open
    for (index, item) in items.enumerated() {
      text += (index == 0 ? "\n" : ",\n") + String(repeating: " ", count: indent + 2)
      each(item, &text)
    }
    text += "\n" + String(repeating: " ", count: indent) + close
  }

  private var line: String {
    var json = JSONText()
    append(to: &json)
    return json.text
  }
}
#endif
