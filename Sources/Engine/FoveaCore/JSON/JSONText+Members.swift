// SPDX-License-Identifier: Apache-2.0

extension JSONText {
  /// Returns the text of one object, of about `capacity` bytes.
  package static func text(capacity: Int = 256, _ members: (inout JSONText) -> Void) -> String {
    var json = JSONText(capacity: capacity)
    json.object(members)
    return json.text
  }

  /// Returns one object on one line, with the newline.
  package static func line(capacity: Int = 256, _ members: (inout JSONText) -> Void) -> String {
    var json = JSONText(capacity: capacity)
    json.object(members)
    json.endLine()
    return json.text
  }

  package mutating func member(_ name: StaticString, _ value: String?) {
    key(name)
    string(value)
  }

  package mutating func member(_ name: StaticString, _ value: Int?) {
    key(name)
    integer(value)
  }

  package mutating func member(_ name: StaticString, _ value: Bool) {
    key(name)
    boolean(value)
  }

  package mutating func member(_ name: StaticString, _ value: Double?, places: Int) {
    key(name)
    number(value, places: places)
  }

  package mutating func member(_ name: StaticString, _ value: (some JSONWritable)?) {
    key(name)
    if let value { value.append(to: &self) } else { null() }
  }

  package mutating func member(_ name: StaticString, _ values: [some JSONWritable]) {
    member(name, values) { json, value in value.append(to: &json) }
  }

  package mutating func member<Element>(
    _ name: StaticString, _ elements: [Element], _ each: (inout JSONText, Element) -> Void
  ) {
    key(name)
    array(elements, each)
  }

  /// Adds a member with an object for each element.
  package mutating func objects<Element>(
    _ name: StaticString, _ elements: [Element], _ each: (inout JSONText, Element) -> Void
  ) {
    member(name, elements) { json, element in json.object { each(&$0, element) } }
  }

  package mutating func member(_ name: StaticString, _ body: (inout JSONText) -> Void) {
    key(name)
    object(body)
  }
}

/// A value that can be a member of an object or an element of an array.
package protocol JSONWritable {
  func append(to json: inout JSONText)
}

/// A value whose text is an object.
package protocol JSONObject: JSONWritable {
  func appendMembers(to json: inout JSONText)
}

extension JSONObject {
  package func append(to json: inout JSONText) { json.object { appendMembers(to: &$0) } }
}

extension String: JSONWritable {
  package func append(to json: inout JSONText) { json.string(self) }
}
extension Int: JSONWritable {
  package func append(to json: inout JSONText) { json.integer(self) }
}
extension Double: JSONWritable {
  package func append(to json: inout JSONText) { json.literal(self) }
}
