// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaCLI
@testable import FoveaTraining

@Suite struct QuantizationReportTests {
  private static let islands = [
    ("few-weights", "CONV_2D", 1), ("no-form", "EXP", 3), ("no-form", "PRELU", 2),
  ]
  .map { reason, name, count in
    QuantizedModel.Island(name: name, count: count, reason: reason, reasonText: "operators of \(reason)")
  }

  private static let report = report(.labeling)

  private static func report(_ task: ComparedTask, output: String = "m_int8.tflite") -> QuantizationReport {
    QuantizationReport(
      made: QuantizedModel(
        bytes: [],
        layers: [
          QuantizedModel.Layer(name: "a/convolution", share: 0.75, isFloat: true, isChosen: true),
          QuantizedModel.Layer(name: "b", share: 0.25, isFloat: false, isChosen: false),
        ],
        tailCount: 2, islands: islands, photoCounts: (30, 20), agreement: nil,
        comparison: ComparedModels(
          task: task, threshold: nil, answers: Agreement(task), accuracy: nil,
          times: TurnTimer.Times(first: .milliseconds(20), second: .milliseconds(15)),
          byteCounts: (4_000, 1_000),
          photoCount: 20, failed: []),
        failed: []),
      input: "m.tflite", output: output)
  }

  @Test func `the JSON of a quantised model has all figures`() {
    #expect(
      Self.report.json
        == #"{"schema": "quantize/1", "input": "m.tflite", "output": "m_int8.tflite", "noise": ["#
        + #"{"layer": "a/convolution", "share": 0.75, "float": true}, {"layer": "b", "share": 0.25, "float": false}"#
        + #"], "tailOperators": 2, "floatOperators": [{"name": "CONV_2D", "count": 1, "reason": "few-weights"}, "#
        + #"{"name": "EXP", "count": 3, "reason": "no-form"}, {"name": "PRELU", "count": 2, "reason": "no-form"}"#
        + #"], "calibrationPhotos": 30, "#
        + #""unreadablePhotos": 0, "task": "labeling", "agreement": {"value": null, "measure": "firstLabels", "#
        + #""shared": 0, "images": 0, "meanChange": null}, "accuracy": null, "cpu": {"firstMilliseconds": 20.0, "#
        + #""secondMilliseconds": 15.0, "ratio": 0.75}, "bytes": {"first": 4000, "second": 1000}, "#
        + #""photos": {"compared": 20, "failed": 0}}"# + "\n")
  }

  @Test func `the text has a line for each reason why operators stay float`() {
    #expect(
      Self.report.text.contains(
        """

        operators of few-weights stay float: 1 × CONV_2D
        operators of no-form stay float: 3 × EXP, 2 × PRELU

        """))
  }

  struct Use: Sendable, CustomTestStringConvertible {
    var task: ComparedTask
    var output = "new.tflite"
    var options: [String] = []
    var command: String
    var testDescription: String { command }
  }

  private static let all = [
    "--labels", "my labels.txt", "--normalize", "127.5,0,-1e-05,0.25,255,1e30", "--activation", "none",
    "--background", "first", "--family", "yolov8",
  ]

  @Test(arguments: [
    Use(task: .detection, command: "detect photo.jpg --model new.tflite"),
    Use(
      task: .detection, output: "-new int8.tflite", options: all,
      command: "detect photo.jpg --model './-new int8.tflite' --labels 'my labels.txt' "
        + "--normalize 127.5,0,-1e-05,0.25,255,1e+30 --family yolov8 --activation none --background first"),
    Use(
      task: .labeling, options: all,
      command: "label photo.jpg --model new.tflite --labels 'my labels.txt' "
        + "--normalize 127.5,0,-1e-05,0.25,255,1e+30 --activation none"),
    Use(
      task: .segmentation, options: ["--normalize", "0,255", "--background", "none"],
      command: "segment photo.jpg --model new.tflite --normalize 0,255"),
    Use(
      task: .embedding, options: ["--labels", "l.txt", "--normalize", "0,1"],
      command: "embed photo.jpg --model new.tflite --normalize 0,1"),
    Use(
      task: .numbers, output: "line\nbreak.tflite",
      command: "embed photo.jpg --model 'line\\nbreak.tflite'"),
  ])
  func `the command that uses the model has the given options that matter`(row: Use) throws {
    let arguments = ["model", "quantize", "m.tflite", "--photos", "p", "--output=\(row.output)"]
    let command = try #require(try FoveaCommand.parseAsRoot(arguments + row.options) as? ModelQuantizeCommand)
    var report = Self.report(row.task, output: row.output)
    report.model = command.prepared.model
    #expect(report.text.hasSuffix("; use it: fovea \(row.command)\n"), "\(report.text)")
    // The command that is printed reads the same normalisation.
    let normalization = report.model.normalization
    #expect(try normalization == normalization.map { try ChoiceArgument.normalization($0.optionText) })
  }

  /// A model with smaller weights, but for some layers whose first number is too large.
  private static func smaller(_ large: [Int]) throws -> SmallerWeights {
    var model = TestModel.floatClassifier(widths: [96, 96, 96])
    // The weights and the bias of each layer follow each other.
    for layer in large {
      let place = 1 + 2 * layer
      model.buffers[place] = TensorBytes.of(
        [1e6] + [Float](repeating: 1, count: model.buffers[place].count / 4 - 1))
    }
    return try SmallerWeights(.memory(ModelBytes(model.bytes(), name: "m.tflite")), as: .float16)
  }

  @Test(
    arguments: [
      ([], ""),
      ([0], "1 tensor stays float32, as float16 cannot hold its numbers: first/weights\n"),
      (
        [0, 1],
        "2 tensors stay float32, as float16 cannot hold their numbers: first/weights, second/weights\n"
      ),
    ] as [([Int], String)])
  func `the text of smaller weights has the tensors that stay float32`(large: [Int], line: String) throws {
    let lines = try Self.smaller(large).text(output: "new.tflite").split(separator: "\n")
    #expect(lines.first?.hasPrefix("new.tflite written: weights as float16, ") == true)
    #expect(lines.dropFirst().map { "\($0)\n" }.joined() == line)
  }

  @Test func `the page of quantisation lists each key of the JSON`() throws {
    let page = String(
      decoding: try SmallFile.bytes(
        of: PackageRoot.path + "/docs/how-to/smaller-and-faster.md", limit: 1 << 20), as: UTF8.self)
    for json in [Self.report.json, try Self.smaller([0]).json] {
      guard case .object(let members) = try JSONValue(Array(json.utf8), name: "The report") else {
        throw TestFailure("no object")
      }
      for member in members { #expect(page.contains("`\(member.key)`"), "\(member.key)") }
    }
  }
}
