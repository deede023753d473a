// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaCore
import Testing

@Suite struct JSONBase64Tests {
  private static func read(_ json: String) throws -> [UInt8] {
    var reader = JSONReader(bytes: Array(json.utf8), name: "The body")
    let bytes = try reader.base64Value("'data'")
    try reader.expectEnd()
    return bytes
  }

  @Test(arguments: 0...70)
  func `bytes of any length round-trip, in both alphabets, with and without padding`(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 250) }
    let text = Data(bytes).base64EncodedString()
    let web = text.replacing("+", with: "-").replacing("/", with: "_")
    for text in [text, web, web.replacing("=", with: ""), text.replacing("/", with: "\\/")] {
      #expect(try Self.read("\"\(text)\"") == bytes)
    }
  }

  @Test(arguments: [
    (#""aGVs bG8=""#, "hello"), (#""aGVs\r\nbG8=""#, "hello"),
    (#""data:image/jpeg;base64,aGVsbG8=""#, "hello"),
    (#""\u0061GVsb\u00478\u003D""#, "hello"), (#""""#, ""), (#"  "aGVsbG8""#, "hello"),
  ])
  func `white space and the prefix of a data URL are ignored`(_ json: String, _ text: String) throws {
    #expect(String(decoding: try Self.read(json), as: UTF8.self) == text)
  }

  @Test(arguments: [
    (#" "http://x""#, true), (#""http:"#, true), (#""http""#, false), (#""aHR0cDo""#, false), ("7", false),
    ("", false),
  ])
  func `a text shows its beginning and stays in place`(_ json: String, _ isAddress: Bool) throws {
    var reader = JSONReader(bytes: Array(json.utf8), name: "T")
    #expect(try reader.isText(beginningWith: "http:") == isAddress)
    #expect(reader.offset == (json.hasPrefix(" ") ? 1 : 0))
  }

  @Test(arguments: [
    #""a""#, #""aGVsb""#, #""aGVsbG8=x""#, #""aGVs*G8=""#, #""aGVsbG8=====""#, #""\u00e1GVs""#,
    #""\ud800GVs""#, #""\u006""#, #""\u00"#, #""\u0022GVs""#, #""aGVsbG8="#,
    #""aG\"#,
    "7", "", "null", #""data:image/jpeg""#, #""data:image/jpeg" "aGVs""#, #"["aGVs"]"#,
    "\"data:\(String(repeating: "a", count: 300)),aGVs\"", #""äaaa""#,
  ])
  func `incomplete base64 is an error`(_ json: String) {
    #expect(throws: JSONFailure.self) { try Self.read(json) }
  }
}
