// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTracking

/// A message about an object as a line of a journal.
struct EventLine: Sendable {
  /// The JSON object, without the end of the line.
  let text: String
  private let members: [JSONValue.Member]
  /// The number of the message.
  let number: Int

  /// Reads a line; nil if it is not a message, such as a line that was cut.
  init?(_ bytes: some Collection<UInt8>) {
    guard let value = try? JSONValue(Array(bytes), name: "the line"), case .object(let members) = value,
      let number = value["number"]?.digits.flatMap({ Int($0) }), number > 0, number < Int.max / 2,
      value["id"]?.text != nil, value["event_type"]?.text != nil
    else { return nil }
    self.members = members
    self.number = number
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the text of a member; nil if it has none.
  subscript(member: String) -> String? { members.first { $0.key == member }?.value.text }

  /// The number of the message among those about its object.
  var sequence: Int {
    members.first { $0.key == "sequence" }?.value.digits.flatMap { Int($0) } ?? 0
  }

  /// The moment in milliseconds since 1970; nil if it is unknown.
  var moment: Int64? { self["time"].flatMap { CivilDate.milliseconds(text: $0) } }

  /// Whether it is the first message about its object.
  var isStart: Bool { self["event_type"] == ObjectEvent.Kind.start.rawValue }

  /// Whether it is the last message about its object.
  var isEnd: Bool { self["event_type"] == ObjectEvent.Kind.end.rawValue }

  /// Returns the `end` of an object after this message, whose server was killed.
  /// - Parameters:
  ///   - number: The number of the `end`.
  ///   - missing: The most messages about the object after this one, which are in no file.
  ///   - time: The present moment in milliseconds since 1970.
  /// - Returns: The line with its end.
  func interrupted(number: Int, missing: Int, at time: Int64) -> String {
    let left: Set = ["zone", "dwell", "line", "direction", "endTime", "reason", "snapshot"]
    return JSONText.line(capacity: 640) { json in
      for member in members where !left.contains(member.key) {
        json.key(named: member.key)
        switch member.key {
        case "event_type": json.string(ObjectEvent.Kind.end.rawValue)
        case "number": json.integer(number)
        case "sequence": json.integer(sequence + missing + 1)
        case "time": json.string(CivilDate.text(milliseconds: time))
        default: member.value.append(to: &json)
        }
      }
      json.member("endTime", self["time"])
      json.member("reason", ObjectEvent.Reason.interrupted.rawValue)
      json.member("snapshot", self["snapshot"])
    }
  }
}

extension EventLine {
  /// The parts of lines that are read without parsing them: this reads a journal at the speed of the disk.
  struct Head {
    let kind: ArraySlice<UInt8>
    let id: ArraySlice<UInt8>
    let number: Int
    /// Nil if the line has none in its place.
    let source: ArraySlice<UInt8>?

    /// Whether it is the last message about its object.
    var isEnd: Bool { kind.elementsEqual(ObjectEvent.Kind.end.rawValue.utf8) }

    /// Reads the front of a line as `EventJSONWriter` writes it; nil for another line.
    init?(_ line: ArraySlice<UInt8>) {
      // {"event_type": "KIND", "id": "ID", "number": NUMBER, "sequence": SEQUENCE, "source": "NAME", …
      let parts = line.split(
        separator: UInt8(ascii: "\""), maxSplits: 16, omittingEmptySubsequences: false)
      guard parts.count >= 12, parts[1].elementsEqual("event_type".utf8), parts[5].elementsEqual("id".utf8),
        parts[9].elementsEqual("number".utf8),
        let number = Int(String(decoding: parts[10].dropFirst(2).dropLast(2), as: UTF8.self)), number > 0,
        number < Int.max / 2
      else { return nil }
      self.number = number
      kind = parts[3]
      id = parts[7]
      source = parts.count == 17 && parts[13].elementsEqual("source".utf8) ? parts[15] : nil
    }
  }
}
#endif
