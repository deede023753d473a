// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaFormats
import FoveaTesting
import Testing

@testable import FoveaCLI

@Suite struct ResumeTests {
  struct ResumeCase: CustomTestStringConvertible {
    var id: String
    var kind: AnswerKind?
    var content: String
    var done: Set<ResumeScan.Image>
    /// The file's content before the run continues.
    var kept: String
    var testDescription: String { id }
  }

  static let a = #"{"image": "a.jpg", "width": 1, "objects": []}"# + "\n"
  static let b = #"{"labels": [{"text": "}\n"}], "image": "b\n\"\u00fc.jpg"}"# + "\n"
  static let latin = "{\"image\": \"caf\u{FFFD}\", \"imageBytes\": \"Y2Fm6Q==\", \"objects\": []}\n"
  static let twin = "{\"image\": \"caf\u{FFFD}\", \"imageBytes\": \"Y2Fm6A==\", \"objects\": []}\n"
  static let bad = #"{"image": "bad.jpg", "error": {"code": "x"}}"# + "\n"
  static let head = "image,width,height,orientation,space,labels,rank,label,label_index,label_confidence\n"
  static let one = "one.jpg,1,1,up,stored,1,1,cat,0,0.5\n"
  static let firstOfTwo = "\"t\n,wo\",1,1,up,stored,2,1,cat,0,0.5\n"
  static let two = firstOfTwo + "\"t\n,wo\",1,1,up,stored,2,2,dog,1,0.4\n"
  static let none = "none.jpg,1,1,up,stored,0,,,,\n"

  static let cases = [
    ResumeCase(id: "empty", content: "", done: [], kept: ""),
    ResumeCase(id: "whole", content: a + b, done: ["a.jpg", "b\n\"ü.jpg"], kept: a + b),
    ResumeCase(id: "torn end", content: a + b.dropLast(9), done: ["a.jpg"], kept: a),
    ResumeCase(id: "only the line end is missing", content: a + b.dropLast(), done: ["a.jpg"], kept: a),
    ResumeCase(id: "nothing but a torn line", content: String(a.dropLast(5)), done: [], kept: ""),
    ResumeCase(id: "failures are tried again", content: bad + a + bad, done: ["a.jpg"], kept: a),
    ResumeCase(
      id: "failed, then done", content: bad + a + bad.replacing("error", with: "objects"),
      done: ["a.jpg", "bad.jpg"], kept: a + bad.replacing("error", with: "objects")),
    ResumeCase(id: "duplicates stay", content: a + a, done: ["a.jpg"], kept: a + a),
    ResumeCase(
      id: "garbage between", content: a + "\u{0}\u{0}\n{\"image\": 3}\n\n" + b + "{",
      done: ["a.jpg", "b\n\"ü.jpg"], kept: a + b),
    ResumeCase(
      id: "hostile lines between",
      content: a + String(repeating: "[", count: 513) + "\n"
        + String(repeating: "{\"image\":", count: 100_000)
        + "\n{\"image\": \"\\ud800\", \"objects\": []}\n" + b,
      done: ["a.jpg", "b\n\"ü.jpg"], kept: a + b),
    ResumeCase(
      id: "csv", kind: .labels, content: head + one + two + none, done: ["one.jpg", "t\n,wo", "none.jpg"],
      kept: head + one + two + none),
    ResumeCase(
      id: "csv, torn inside a row", kind: .labels, content: head + one + two.dropLast(3), done: ["one.jpg"],
      kept: head + one),
    ResumeCase(
      id: "csv, torn inside quotes", kind: .labels, content: head + one + "\"t\n", done: ["one.jpg"],
      kept: head + one),
    ResumeCase(
      id: "csv, torn between two rows of an image", kind: .labels,
      content: head + one + firstOfTwo, done: ["one.jpg"], kept: head + one),
    ResumeCase(
      id: "csv, an image with too many rows", kind: .labels, content: head + one + one + none,
      done: ["one.jpg", "none.jpg"], kept: head + one + one + none),
    ResumeCase(
      id: "csv, garbage between", kind: .labels, content: head + one + "what\n" + none,
      done: ["one.jpg", "none.jpg"], kept: head + one + none),
    ResumeCase(
      id: "names that are no UTF-8", content: latin + twin + a,
      done: [.init("caf\u{FFFD}", base64: "Y2Fm6Q=="), .init("caf\u{FFFD}", base64: "Y2Fm6A=="), "a.jpg"],
      kept: latin + twin + a),
    ResumeCase(
      id: "bytes that are no text", content: a + #"{"image": "b", "imageBytes": 3, "objects": []}"# + "\n",
      done: ["a.jpg"], kept: a),
    ResumeCase(
      id: "csv, names that are no UTF-8", kind: .labels,
      content: head + "base64:Y2Fm6Q==,1,1,up,stored,0,,,,\n" + none,
      done: [.init("caf\u{FFFD}", base64: "Y2Fm6Q=="), "none.jpg"],
      kept: head + "base64:Y2Fm6Q==,1,1,up,stored,0,,,,\n" + none),
    ResumeCase(
      id: "csv, saved again by a spreadsheet", kind: .labels,
      content: ("\u{FEFF}" + head + one).replacing("\n", with: "\r\n"), done: ["one.jpg"],
      kept: ("\u{FEFF}" + head + one).replacing("\n", with: "\r\n")),
    ResumeCase(id: "csv, header only", kind: .labels, content: head, done: [], kept: head),
    ResumeCase(id: "csv, torn header", kind: .labels, content: "image,wi", done: [], kept: ""),
  ]

  private static func open(_ path: String, kind: AnswerKind?) throws -> ResumeFile {
    if let kind { return try ResumeFile(path: path, reader: CSVResumeReader(kind: kind)) }
    return try ResumeFile(path: path, reader: JSONLinesResumeReader())
  }

  @Test(arguments: cases)
  func `an earlier run is read and repaired`(_ test: ResumeCase) throws {
    let folder = try TemporaryFolder()
    try folder.write("out", test.content)
    let file = try Self.open(folder["out"], kind: test.kind)
    #expect(file.scan.done == test.done)
    #expect(file.scan.isFresh == test.kept.isEmpty)
    try file.prepare()
    #expect(try folder.read("out") == test.kept)
    #expect(!folder.exists("out.partial"))
  }

  @Test func `a missing file starts from the beginning`() throws {
    let folder = try TemporaryFolder()
    let file = try Self.open(folder["none"], kind: nil)
    #expect(file.scan == ResumeScan())
    try file.prepare()
  }

  @Test(arguments: ["hello\nworld\n", "[\n{\"image\": 1}\n]\n", "image,other\n1,2\n"])
  func `a file with other contents is not touched`(_ content: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("out", content)
    for kind in [nil, AnswerKind.objects] {
      let error = #expect(throws: FoveaError.self) { try Self.open(folder["out"], kind: kind) }
      #expect(error?.code.rawValue == "resume-not-results")
    }
    #expect(try folder.read("out") == content)
  }

  @Test func `a folder is not a file to continue`() throws {
    let folder = try TemporaryFolder()
    #expect(throws: FoveaError.self) { try Self.open(folder.path, kind: nil) }
  }

  @Test func `a line that spans many reads is one line`() throws {
    let folder = try TemporaryFolder()
    let long = #"{"image": "\#(String(repeating: "x", count: 300_000)).jpg", "objects": []}"# + "\n"
    try folder.write("out", Self.a + long + Self.a + long.dropLast())
    let file = try Self.open(folder["out"], kind: nil)
    #expect(file.scan.done.count == 2)
    try file.prepare()
    #expect(try folder.read("out") == Self.a + long + Self.a)
  }
}
