// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaGeometry
import FoveaHTTP
import Testing

@testable import FoveaInference

/// The parameters of a JSON body reach a call with their types.
@Suite struct CallValueTests {
  private static func options(_ parameters: String) throws -> CallOptions {
    let body = #"{"images": [{"base64": "aGk="}], "parameters": \#(parameters)}"#
    return try CallOptions(try ImageJSON.read(Array(body.utf8)).options)
  }

  /// A list of labels as JSON, and the call's options.
  @Test(
    arguments: [
      (#"["cup"]"#, ["cup"]), (#""cup""#, ["cup"]), (#""cup, dog""#, ["cup, dog"]),
      (#""tabby,""#, ["tabby,"]), (#""tabby,,cup""#, ["tabby,,cup"]), (#"",""#, [","]),
      (#"["tabby, tabby cat", "dog"]"#, ["tabby, tabby cat", "dog"]),
      // A comma with nothing next to it belongs to a label as well.
      (#"["1,", ",", "a,,b"]"#, ["1,", ",", "a,,b"]), (#"[" cup "]"#, [" cup "]),
      // Labels that are numbers need no quotes.
      ("[7, 1.5]", ["7", "1.5"]), ("7", ["7"]),
    ] as [(String, [String])])
  func `each entry of a list is a label, including its commas`(_ json: String, _ labels: [String]) throws {
    let allowed = try Self.options(#"{"allow": \#(json)}"#)
    #expect(allowed.named.labelSelection.allowedLabels == labels)
    #expect(allowed.named.selection.allowedLabels == labels)
    #expect(try Self.options(#"{"deny": \#(json)}"#).named.selection.deniedLabels == labels)
  }

  @Test func `numbers, flags and lists are accepted, and also as text or as a list of one`() throws {
    for json in [
      #"{"threshold": 0.25, "max-objects": 7, "single": true, "roi": [10, 20, 300, 200.5], "model": 4567}"#,
      #"{"threshold": "0.25", "max-objects": "7", "single": "yes", "roi": "10,20,300,200.5", "model": "4567"}"#,
      #"{"threshold": 2.5e-1, "max-objects": 7.0, "single": 1, "roi": ["10", 20, "300", 200.5], "model": 4567.0}"#,
      #"{"threshold": [0.25], "max-objects": ["7"], "single": [1], "roi": "10,20,300,200.5", "model": [4567]}"#,
    ] {
      let options = try Self.options(json)
      let selection = options.named.selection
      #expect(selection.threshold == 0.25 && options.named.labelSelection.threshold == 0.25, "\(json)")
      #expect(selection.maxObjects == 7 && selection.singleObject == true, "\(json)")
      #expect(options.region == BoundingBox(x: 10, y: 20, width: 300, height: 200.5), "\(json)")
      #expect(options.model == "4567", "\(json)")
    }
  }

  @Test(
    arguments: [
      (#"{"allow": []}"#, "'allow' is an empty list"), (#"{"allow": [""]}"#, "'allow' has an empty label"),
      (#"{"allow": ["a", " "]}"#, "'allow' has an empty label"),
      (#"{"allow": " "}"#, "'allow' has an empty label"),
      (#"{"allow": "a\n "}"#, "'allow' has an empty label"),
      (#"{"threshold": 2}"#, "'threshold' is '2'; it must be 0…1"),
      (#"{"threshold": true}"#, "'threshold' is 'true'; it must be a number"),
      (#"{"threshold": 1e999}"#, "'threshold' is 'inf'; it must be 0…1"),
      (#"{"max-objects": 1.5}"#, "'max-objects' is '1.5'; it must be a whole number"),
      (#"{"max-objects": "1.0"}"#, "'max-objects' is '1.0'; it must be a whole number"),
      (#"{"max-objects": 1e20}"#, "'max-objects' is '1e+20'; it must be a whole number"),
      (#"{"max-objects": 0}"#, "'max-objects' is '0'; it must be 1 or more"),
      (#"{"single": 2}"#, "'single' is '2'"), (#"{"single": [true]}"#, nil),
      (#"{"roi": [1, 2, 3]}"#, "'roi' is '[1, 2, 3]'"),
      (#"{"roi": [1, 2, 3, 0]}"#, "'roi' is '[1, 2, 3, 0]'"),
      (#"{"roi": [1, 2, 3, "x"]}"#, "'roi' is '[1, 2, 3, x]'"), (#"{"roi": 5}"#, "'roi' is '5'"),
      (#"{"format": ["json", "csv"]}"#, "'format' is '[json, csv]'"),
      (#"{"masks": "RLE"}"#, "'masks' is 'RLE'"),
      (#"{"masks": ["rle", "none"]}"#, "'masks' is '[rle, none]'"),
      (#"{"threshold": [2]}"#, "'threshold' is '2'; it must be 0…1"),
      (#"{"threshold": []}"#, "'threshold' is '[]'"),
      (#"{"threshold": [0.5, 1]}"#, "'threshold' is '[0.5, 1]'"),
      (#"{"single": ["yes", "no"]}"#, "'single' is '[yes, no]'"),
      (#"{"model": ["a", "b"]}"#, "'model' is '[a, b]'"),
      (#"{"model": []}"#, "'model' is '[]'"), (#"{"upright": []}"#, "'upright' is '[]'"),
    ] as [(String, String?)])
  func `a value out of range is named as sent`(_ json: String, _ problem: String?) throws {
    guard let problem else {
      #expect(throws: JSONFailure.self) { try Self.options(json) }
      return
    }
    let refusal = #expect(throws: Refusal.self) { try Self.options(json) }
    #expect(refusal?.message == "The option \(problem)", "\(json)")
  }

  @Test func `an unknown option is named, also if it is a list`() {
    let refusal = #expect(throws: Refusal.self) { try Self.options(#"{"threshhold": [0.5, 1]}"#) }
    #expect(refusal?.message == "There is no option 'threshhold'")
  }

  @Test(arguments: [("false", true), (#""no""#, true), ("0", true), ("true", false), (#""""#, false)])
  func `a call disables tiles by each of the words for it`(_ json: String, _ isUnsliced: Bool) throws {
    let selection = try Self.options(#"{"slice": \#(json)}"#).named.selection
    #expect(selection.isUnsliced == isUnsliced && (selection.slicing == nil) == isUnsliced)
  }
}
#endif
