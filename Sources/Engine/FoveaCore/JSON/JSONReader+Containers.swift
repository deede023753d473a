// SPDX-License-Identifier: Apache-2.0

extension JSONReader {
  /// Reads the comma before an array's next element, or the array's end.
  /// - Parameter isFirst: Whether no element was read yet; false afterwards.
  /// - Returns: Whether an element follows.
  /// - Throws: `notJSON` if neither follows.
  @inline(__always)
  package mutating func nextElement(_ isFirst: inout Bool) throws(JSONFailure) -> Bool {
    if try take(UInt8(ascii: "]")) { return false }
    if !isFirst {
      try expect(UInt8(ascii: ","), "a comma or the end of the array")
      if takesLastComma, try take(UInt8(ascii: "]")) { return false }
    }
    isFirst = false
    return true
  }

  /// Reads an object's next key and its colon, or the object's end.
  /// - Parameter isFirst: Whether no member was read yet; false afterwards.
  /// - Returns: The key, whose value follows; nil at the object's end.
  /// - Throws: `notJSON` if neither follows.
  @inline(__always)
  package mutating func nextKey(_ isFirst: inout Bool) throws(JSONFailure) -> JSONKey? {
    if try take(UInt8(ascii: "}")) {
      if refusesTwins, !isFirst { members.removeLast() }
      return nil
    }
    if !isFirst {
      try expect(UInt8(ascii: ","), "a comma or the end of the object")
      if takesLastComma, try take(UInt8(ascii: "}")) {
        if refusesTwins { members.removeLast() }
        return nil
      }
    }
    if try peek() == UInt8(ascii: "\"") {
      try string(keeping: true)
    } else {
      guard takesAppleText, try appleText() || !text.isEmpty else {
        throw try unexpected("a key is expected")
      }
    }
    if refusesTwins { try checkTwin(isFirst: isFirst) }
    isFirst = false
    try expect(UInt8(ascii: ":"), "a colon after the key")
    return JSONKey(text)
  }

  /// Refuses a key that its object already has.
  @inline(never)
  private mutating func checkTwin(isFirst: Bool) throws(JSONFailure) {
    if isFirst { members.append([]) }
    guard members[members.count - 1].insert(lastKey).inserted else {
      throw mismatch("the member '\(String(lastKey.prefix(40)))' occurs twice")
    }
    guard members[members.count - 1].count <= JSONReader.maximumMembers else {
      throw mismatch("an object has more than \(DecimalText.grouped(JSONReader.maximumMembers)) members")
    }
  }

  /// The last key that `nextKey` has read, as text, valid until the next string is read.
  package var lastKey: String { String(decoding: text, as: UTF8.self) }

  /// Returns the error for the last key, which is not a known member: ignoring it silently could change a
  /// result.
  /// - Parameters:
  ///   - what: The name of the object, such as `the file`.
  ///   - names: The known members.
  /// - Returns: The error, with the nearest name.
  package func unknownMember(of what: String = "the body", among names: [String]) -> JSONFailure {
    let name = lastKey
    let near = NameDistance.nearest(to: name, among: names).first
    return mismatch(
      "\(what) has no member '\(name.prefix(40))'",
      near.map { "did you mean '\($0)'?" }
        ?? (names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"))
  }

  /// Skips a value of any kind, which must still be valid.
  package mutating func skip(depth: Int = 0) throws(JSONFailure) {
    try checkDepth(depth)
    var isFirst = true
    switch try peek() {
    case UInt8(ascii: "{"):
      at += 1
      while true {
        if try take(UInt8(ascii: "}")) { return }
        if !isFirst { try expect(UInt8(ascii: ","), "a comma or the end of the object") }
        isFirst = false
        guard try peek() == UInt8(ascii: "\"") else { throw try unexpected("a key is expected") }
        try string(keeping: false)
        try expect(UInt8(ascii: ":"), "a colon after the key")
        try skip(depth: depth + 1)
      }
    case UInt8(ascii: "["):
      at += 1
      while try nextElement(&isFirst) { try skip(depth: depth + 1) }
    case UInt8(ascii: "\""): try string(keeping: false)
    case UInt8(ascii: "t"): try literal("true")
    case UInt8(ascii: "f"): try literal("false")
    case UInt8(ascii: "n"): try literal("null")
    default: _ = try number()
    }
  }

  func checkDepth(_ depth: Int) throws(JSONFailure) {
    guard depth < maximumDepth else { throw notJSON("values are nested deeper than \(maximumDepth) levels") }
  }

  /// Reads one of the three words.
  package mutating func literal(_ word: StaticString) throws(JSONFailure) {
    try need(word.utf8CodeUnitCount)
    let letters = Array("\(word)".utf8)
    guard end - at >= letters.count, bytes[at..<(at + letters.count)].elementsEqual(letters) else {
      throw notJSON("a value is expected")
    }
    at += letters.count
  }
}

/// A key as two words and its length, for fast comparison; keys of more than 16 bytes equal no known one.
package struct JSONKey: Equatable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0
  private var count: Int

  @inline(__always)
  package init(_ bytes: [UInt8]) {
    count = bytes.count
    for index in 0..<min(count, 8) { low |= UInt64(bytes[index]) << UInt64(8 * index) }
    for index in 8..<max(8, min(count, 16)) { high |= UInt64(bytes[index]) << UInt64(8 * (index - 8)) }
  }

  package init(_ name: String) { self.init(Array(name.utf8)) }
}
