// SPDX-License-Identifier: Apache-2.0

import CFovea
import Fovea
import FoveaTesting
import Testing

@Suite struct OptionTests {
  static let bad: [(name: String, value: String, says: String)] = [
    ("treshold", "0.5", "There is no option 'treshold'"), ("", "1", "There is no option ''"),
    ("threshold", "", "The option 'threshold' is '', a number expected"),
    ("threshold", "nan", "The option 'threshold' is 'nan', 0…1 expected"),
    ("threshold", "1.01", "The option 'threshold' is '1.01', 0…1 expected"),
    ("max-objects", "0", "The option 'max-objects' is '0', 1 or more expected"),
    ("max-objects", "2.5", "The option 'max-objects' is '2.5'"),
    ("sessions", "1025", "The option 'sessions' is '1025', 1…1024 expected"),
    ("threads", "99999999999999999999", "The option 'threads'"),
    ("slice-overlap", "0.8", "The option 'slice-overlap' is '0.8', 0…0.75 expected"),
    ("slice", "maybe", "The option 'slice' is 'maybe', true or false expected"),
    ("allow", " ", "The option 'allow' is ' ', labels expected"),
    ("labels", "", "The option 'labels' is ''"), ("family", "yolov99", "The option 'family' is 'yolov99'"),
    ("activation", "relu", "The option 'activation' is 'relu', none, sigmoid, softmax expected"),
    ("normalize", "0,0", "The option 'normalize' is '0,0'"),
    ("tracker", "kalman", "The option 'tracker' is 'kalman'"),
    ("frame-rate", "inf", "The option 'frame-rate' is 'inf'"),
    ("at-least", "1.5", "The option 'at-least' is '1.5', 0…1 expected"),
    ("at-least", "nan", "The option 'at-least' is 'nan', 0…1 expected"),
    ("float-layers", "-1", "The option 'float-layers' is '-1', 0…10000 expected"),
    ("ground-truth", "", "The option 'ground-truth' is ''"),
  ]

  @Test(arguments: bad)
  func `a wrong option is rejected when it is set`(_ row: (name: String, value: String, says: String)) throws
  {
    let options = try COptions()
    let failure = CFailure.of(fovea_options_set(options.pointer, row.name, row.value))
    #expect(failure?.code == "option-invalid")
    #expect(failure?.message.hasPrefix(row.says) == true, "\(failure?.message ?? "no error")")
    #expect(failure?.remedy.isEmpty == false)
  }

  @Test func `a misspelt option shows the nearest name`() throws {
    let options = try COptions()
    #expect(
      CFailure.of(fovea_options_set(options.pointer, "treshold", "1"))?.remedy == "Did you mean 'threshold'?")
  }

  @Test func `options that do not apply to a labeler or a tracker are rejected`() throws {
    for (name, value) in [("max-objects", "3"), ("slice", "true"), ("every", "2")] {
      let failure = #expect(throws: CFailure.self) { try CAnalyzer(nil, [name: value], kind: .labeler) }
      #expect(failure?.message == "The option '\(name)' does not apply to a labeler")
    }
    var tracker: OpaquePointer?
    let options = try COptions(["iou": "0.5"])
    let failure = withExtendedLifetime(options) { CFailure.of(fovea_tracker_open(options.pointer, &tracker)) }
    #expect(failure?.message == "The option 'iou' does not apply to a tracker" && tracker == nil)
    #expect(throws: CFailure.self) { try CAnalyzer(nil, ["tracker": "sort"]) }
    #expect(throws: CFailure.self) { try CAnalyzer(nil, ["at-least": "0.5"]) }
  }

  @Test func `labels with commas are one per line, and a second value replaces the first`() throws {
    let photos = [CImage.file(ResultTests.photos[6])]
    for allow in ["cat,dog", "cat\ndog", "dog\n", " dog "] {
      let found = try CAnalyzer(nil, ["allow": allow]).find(photos)
      #expect(found[0].objects.first?.labels.first?.text == "dog", "\(allow)")
    }
    let options = try COptions(["allow": "cat"])
    try CFailure.check(fovea_options_set(options.pointer, "allow", "dog"))
    var detector: OpaquePointer?
    try CFailure.check(fovea_detector_open(nil, options.pointer, &detector))
    fovea_detector_close(detector)
    let failure = #expect(throws: CFailure.self) { try CAnalyzer(nil, ["allow": "dog, with a comma\n"]) }
    #expect(failure?.message.contains("'with a comma' is not a label") == true)
  }

  @Test func `an inspection equals the program's, with C's option names`() throws {
    let path = PackageRoot.path + "/Tests/Fixtures/models/logits_unknown.tflite"
    let expected = try ReportedModel.json(path)
    var text: UnsafeMutablePointer<CChar>?
    try CFailure.check(CModel.file(path).with { fovea_inspect($0, &text) })
    defer { fovea_string_free(text) }
    #expect(text.map { String(cString: $0) } == expected)
    var failed: UnsafeMutablePointer<CChar>?
    let failure = CFailure.of(CModel.bytes([1, 2, 3], name: "three").with { fovea_inspect($0, &failed) })
    #expect(failure?.code == "model-invalid" && failed == nil)
    #expect(failure?.description.contains("three") == true)
  }

  @Test func `the runtime cannot be changed once it is loaded`() throws {
    var path: UnsafePointer<CChar>?
    try CFailure.check(fovea_runtime_path(&path))
    let loaded = try #require(path.map { String(cString: $0) })
    #expect(loaded.hasSuffix("libLiteRt.so"))
    #expect(CFailure.of(fovea_runtime_set(loaded)) == nil)
    #expect(CFailure.of(fovea_runtime_set("/elsewhere/libLiteRt.so"))?.code == "option-invalid")
  }
}
