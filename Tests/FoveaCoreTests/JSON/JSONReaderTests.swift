// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting
import Testing

@testable import FoveaCore

@Suite struct JSONReaderTests {
  struct TextCase: CustomTestStringConvertible {
    var text: String
    /// The expected message, or nil for a valid text.
    var problem: String?
    var testDescription: String { String(text.prefix(40)) }

    init(_ text: String, _ problem: String? = nil) {
      self.text = text
      self.problem = problem
    }
  }

  @Test(arguments: [
    TextCase(#"{"a": 1, "b": {"a": {}, "c": [{"a": 1}, {"a": 2}]}, "c": {}}"#),
    TextCase(#"{"a": 1, "a": 2}"#, "the member 'a' occurs twice at line 1, column 13, byte 12"),
    TextCase(#"{"a": {"b": 1, "\u0062": 2}}"#, "the member 'b' occurs twice"),
    TextCase(#"{"a": [{}, {"x": {}, "y": {}, "x": 1}]}"#, "the member 'x' occurs twice"),
    TextCase(
      "{" + (0...10_000).map { "\"\($0)\": 0" }.joined(separator: ",") + "}", "more than 10,000 members"),
  ])
  func `a duplicate member is rejected on request`(_ test: TextCase) {
    func read(_ reader: inout JSONReader) throws(JSONFailure) {
      switch try reader.peek() {
      case UInt8(ascii: "{"):
        try reader.expect(UInt8(ascii: "{"), "an object")
        var isFirst = true
        while try reader.nextKey(&isFirst) != nil { try read(&reader) }
      case UInt8(ascii: "["):
        try reader.expect(UInt8(ascii: "["), "an array")
        var isFirst = true
        while try reader.nextElement(&isFirst) { try read(&reader) }
      default: try reader.skip()
      }
    }
    for refuses in [true, false] {
      var reader = JSONReader(bytes: Array(test.text.utf8), name: "T")
      reader.refusesTwins = refuses
      do throws(JSONFailure) {
        try read(&reader)
        try reader.expectEnd()
        #expect(test.problem == nil || !refuses)
      } catch {
        #expect(refuses && test.problem.map(error.message.contains) == true, "\(error.message)")
      }
    }
  }

  @Test(arguments: [[0xFF, 0xFE, 0x5B, 0], [0xFE, 0xFF, 0, 0x5B]] as [[UInt8]])
  func `UTF-16 is named`(_ bytes: [UInt8]) {
    #expect(
      Self.problem(bytes)
        == "T is not JSON: it is UTF-16 text by its byte order mark, and UTF-8 is needed, at line 1, column 1, byte 0"
    )
  }

  static func problem(_ bytes: [UInt8]) -> String? {
    do throws(JSONFailure) {
      var reader = JSONReader(bytes: bytes, name: "T")
      try reader.skip()
      try reader.expectEnd()
      return nil
    } catch {
      #expect(error.kind == (bytes.isEmpty ? .empty : .notJSON))
      return error.message
    }
  }

  @Test(arguments: [
    TextCase("null"), TextCase(" [ ] "), TextCase("{}"), TextCase("[1,-0,0.5,1e9,1E-9,-1.5e+3]"),
    TextCase(#"{"a":[true,false,null,"\u00e9\n\"\/\ud83d\ude00é😀"],"b":{"c":{}}}"#),
    TextCase("\u{FEFF}[1]"), TextCase(#""\ud800""#),
    TextCase(String(repeating: "[", count: 512) + String(repeating: "]", count: 512)),
    TextCase("", "T is not JSON: a value is expected, but the text ends at line 1, column 1, byte 0"),
    TextCase("[1,]", "T is not JSON: a value is expected, found ']' at line 1, column 4, byte 3"),
    TextCase(
      "[1 2]",
      "T is not JSON: a comma or the end of the array is expected, found '2' at line 1, column 4, byte 3"),
    TextCase("{\"a\":1\n,}", "T is not JSON: a key is expected, found '}' at line 2, column 2, byte 8"),
    TextCase(
      "{\"a\" 1}",
      "T is not JSON: a colon after the key is expected, found '1' at line 1, column 6, byte 5"),
    TextCase("{a:1}", "T is not JSON: a key is expected, found 'a' at line 1, column 2, byte 1"),
    TextCase("[NaN]", "T is not JSON: a value is expected, found 'N' at line 1, column 2, byte 1"),
    TextCase("[01]", "T is not JSON: a number has a leading zero at line 1, column 3, byte 2"),
    TextCase("[1.]", "T is not JSON: a digit is expected after the point at line 1, column 4, byte 3"),
    TextCase("[.5]", "T is not JSON: a value is expected, found '.' at line 1, column 2, byte 1"),
    TextCase("[+1]", "T is not JSON: a value is expected, found '+' at line 1, column 2, byte 1"),
    TextCase("[-]", "T is not JSON: a value is expected, found '-' at line 1, column 2, byte 1"),
    TextCase("[1e]", "T is not JSON: a digit is expected in the exponent at line 1, column 4, byte 3"),
    TextCase("[tru]", "T is not JSON: a value is expected at line 1, column 2, byte 1"),
    TextCase("[\"a]", "T is not JSON: a string is not terminated at line 1, column 5, byte 4"),
    TextCase(
      "[\"a\n\"]",
      "T is not JSON: a string has a control character, which must be escaped at line 1, column 4, byte 3"),
    TextCase(
      #"["\x"]"#,
      "T is not JSON: a string has an escape that JSON does not define at line 1, column 3, byte 2"),
    TextCase(#"["\u12g4"]"#, "T is not JSON: \\u needs four hexadecimal digits at line 1, column 3, byte 2"),
    TextCase(#"["\u1"#, "T is not JSON: \\u needs four hexadecimal digits at line 1, column 3, byte 2"),
    TextCase(
      "[1]]", "T is not JSON: there is text after the end of the value, found ']' at line 1, column 4, byte 3"
    ),
    TextCase(
      "[1",
      "T is not JSON: a comma or the end of the array is expected, but the text ends at line 1, column 3, byte 2"
    ),
    TextCase(
      String(repeating: "[", count: 100_000),
      "T is not JSON: values are nested deeper than 512 levels at line 1, column 513, byte 512"),
    TextCase(
      "[" + String(repeating: "1", count: 401) + "]",
      "T is not JSON: a number has more than 400 characters at line 1, column 403, byte 402"),
  ])
  func `a text is read as in RFC 8259`(_ test: TextCase) {
    #expect(Self.problem(Array(test.text.utf8)) == test.problem)
  }

  @Test(arguments: [
    ("[", "T: expected an object, got an array at line 1, column 1, byte 0"),
    (" \"x\"", "T: expected an object, got a string at line 1, column 2, byte 1"),
    ("true", "T: expected an object, got a boolean at line 1, column 1, byte 0"),
    ("null", "T: expected an object, got null at line 1, column 1, byte 0"),
    ("no", "T is not JSON: a value is expected at line 1, column 1, byte 0"),
    ("-1", "T: expected an object, got a number at line 1, column 1, byte 0"),
    ("0", "T: expected an object, got a number at line 1, column 1, byte 0"),
    ("}", "T is not JSON: expected an object, found '}' at line 1, column 1, byte 0"),
    ("", "T is not JSON: expected an object, but the text ends at line 1, column 1, byte 0"),
    ("{", nil),
  ])
  func `a value of another kind is named`(_ text: String, _ problem: String?) {
    var found: String?
    var reader = JSONReader(bytes: Array(text.utf8), name: "T")
    do throws(JSONFailure) { try reader.expect(UInt8(ascii: "{"), "an object") } catch {
      found = error.message
    }
    #expect(found == problem)
  }

  @Test(
    arguments: [
      [0x80], [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xE2, 0x82],
      [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFF],
    ] as [[UInt8]])
  func `bytes that are not UTF-8 are rejected`(_ bytes: [UInt8]) {
    #expect(
      Self.problem([0x5B, 0x22] + bytes + [0x22, 0x5D])
        == "T is not JSON: the text is not UTF-8 at line 1, column 3, byte 2")
  }

  @Test func `no damaged text crashes or hangs`() {
    let text = Array(#"{"a":[true,-1.5e3,"\u00e9é😀"],"b":[{"c":null},[[]]],"d":0}"#.utf8)
    for end in text.indices { #expect(Self.problem(Array(text[..<end])) != nil) }
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2_000 {
      var damaged = text
      for _ in 0..<(1 + random.below(4)) {
        damaged[random.below(damaged.count)] = UInt8(truncatingIfNeeded: random.next())
      }
      // Foundation's lenient decoder rejects it, and so does this reader.
      if (try? JSONSerialization.jsonObject(with: Data(damaged), options: .fragmentsAllowed)) == nil {
        #expect(Self.problem(damaged) != nil, "\(String(decoding: damaged, as: UTF8.self))")
      }
    }
  }

  @Test(arguments: [
    (
      #"{"treshold": 1}"#,
      "T: the body has no member 'treshold' at line 1, column 13, byte 12; did you mean 'threshold'?"
    ),
    (
      #"{"quantity": 1}"#,
      "T: the body has no member 'quantity' at line 1, column 13, byte 12; it has threshold, zones"
    ),
    (#"{"threshold":null"#, "T: it is null at line 1, column 14, byte 13; a number is needed"),
    (#"{"zones": ["1"]}"#, "T: it is not a number at line 1, column 11, byte 10"),
  ])
  func `the path precedes what is expected or missing`(_ text: String, _ message: String) {
    var reader = JSONReader(bytes: Array(text.utf8), name: "T")
    var isFirst = true
    do throws(JSONFailure) {
      try reader.expect(UInt8(ascii: "{"), "an object")
      guard try reader.nextKey(&isFirst) != nil, ["threshold", "zones"].contains(reader.lastKey) else {
        throw reader.unknownMember(among: ["threshold", "zones"])
      }
      _ = try reader.double("it")
      Issue.record("it was accepted")
    } catch {
      #expect(error.message == message)
    }
  }

  @Test func `a string is decoded`() throws {
    var reader = JSONReader(bytes: Array(#" "a\u00e9\ud83d\ude00\ud800\ud800\u0041\/\t" "#.utf8), name: "T")
    _ = try reader.peek()
    #expect(try reader.stringValue() == "aé😀\u{FFFD}\u{FFFD}A/\t")
  }

  @Test func `a stored name has a length limit`() throws {
    var reader = JSONReader(bytes: [0x22] + [UInt8](repeating: 0x61, count: 70_000) + [0x22], name: "T")
    #expect(throws: JSONFailure.self) { try reader.stringValue() }
  }

  @Test func `a file larger than a chunk is read across chunk borders`() throws {
    let path = FileManager.default.temporaryDirectory.path + "/fovea-evaluation-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let entry = #"{"k\u00e9y":"é😀\ud83d\ude00","n":-12345.678901e-2,"t":[true,false,null]},"# + "\n"
    // Other lengths of padding move each token across the border.
    for padding in 0..<7 {
      let text =
        String(repeating: " ", count: padding * 11) + "[" + String(repeating: entry, count: 6_000) + "1]"
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      var reader = try JSONReader.file(path)
      try reader.skip()
      try reader.expectEnd()
    }
    try Data(("[" + String(repeating: entry, count: 6_000) + "x]").utf8).write(to: URL(fileURLWithPath: path))
    var reader = try JSONReader.file(path)
    let error = #expect(throws: JSONFailure.self) { try reader.skip() }
    let offset = 1 + 6_000 * entry.utf8.count
    #expect(error?.message.hasSuffix("found 'x' at line 6001, column 1, byte \(offset)") == true)
  }
}
