// SPDX-License-Identifier: Apache-2.0

extension JSONText {
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

  package mutating func member(_ name: StaticString, _ value: (some JSONValue)?) {
    key(name)
    if let value { value.append(to: &self) } else { null() }
  }

  package mutating func member(_ name: StaticString, _ values: [some JSONValue]) {
    member(name, values) { json, value in value.append(to: &json) }
  }

  package mutating func member<Element>(
    _ name: StaticString, _ elements: [Element], _ each: (inout JSONText, Element) -> Void
  ) {
    key(name)
    array(elements, each)
  }

  package mutating func member(_ name: StaticString, _ body: (inout JSONText) -> Void) {
    key(name)
    object(body)
  }
}

/// What can be the value of a member.
package protocol JSONValue {
  func append(to json: inout JSONText)
}

extension String: JSONValue {
  package func append(to json: inout JSONText) { json.string(self) }
}
extension Int: JSONValue {
  package func append(to json: inout JSONText) { json.integer(self) }
}
extension Double: JSONValue {
  package func append(to json: inout JSONText) { json.literal(self) }
}
