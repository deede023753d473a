// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting
import Testing

/// The built program: the rules that a model breaks.
@Suite(
  .enabled(if: BuiltProgram.path != nil, "needs the program next to the tests: swift build --product fovea"))
struct ModelCheckTests {
  static func model(_ name: String) -> String { PackageRoot.path + "/Tests/Fixtures/models/\(name).tflite" }

  static func fovea(_ arguments: String..., in folder: TemporaryFolder) async throws
    -> ModelCommandTests.Outcome
  {
    try await ModelCommandTests.fovea(["model"] + arguments, in: folder)
  }

  @Test func `a model that ML Kit accepts ends with 0, each rule on a line`() async throws {
    let folder = try TemporaryFolder()
    let check = try await Self.fovea("check", Self.model("classifier_uint8"), in: folder)
    #expect(check.code == 0 && check.messages == "", "\(check)")
    let lines = check.output.split(separator: "\n").map(String.init)
    #expect(lines.first == Self.model("classifier_uint8"))
    #expect(lines.contains("  5    passed  The input is uint8 or float32 — uint8"))
    for number in 1...17 { #expect(lines.contains { $0.hasPrefix("  \(number) ") }) }
    #expect(check.output.hasSuffix("ML Kit accepts the model, and so does Fovea.\n"))
    #expect(lines.dropFirst().allSatisfy { $0.count <= 110 })
  }

  @Test func `a model that ML Kit rejects ends with 1, and each broken rule has a fix`() async throws {
    let folder = try TemporaryFolder()
    let check = try await Self.fovea("check", Self.model("colors_unit"), in: folder)
    #expect(check.code == 1 && check.messages == "", "\(check)")
    #expect(
      check.output.contains(
        """
          7    failed  A float32 input has NormalizationOptions in its metadata
                       found   the input is float32, but the metadata has no normalisation
                       Google  208: Input tensor has type kTfLiteFloat32: it requires specifying NormalizationOptions
                               metadata to preprocess input images.
                       Fovea   refuses it under ML Kit's names
                       fix     Write the normalisation it was trained with: fovea model add-metadata FILE --normalize
                               MEAN,STD --output NEW

        """))
    #expect(
      check.output.hasSuffix(
        "  under ML Kit's names; 'fovea label' accepts it and assumes its normalisation.\n"))
    let given = try await Self.fovea("check", Self.model("colors_unit"), "--normalize", "0,255", in: folder)
    #expect(given.code == 1 && given.output.contains("  7    differs "), "\(given)")
    #expect(given.output.hasSuffix("ML Kit refuses the model; Fovea accepts it.\n"))
  }

  @Test func `a model that keeps ML Kit's rules but that Fovea cannot use ends with 1`() async throws {
    let folder = try TemporaryFolder()
    let check = try await Self.fovea("check", Self.model("edge_tpu"), in: folder)
    #expect(check.code == 1 && check.messages == "", "\(check)")
    let words = check.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains(
        " not recognised: 13 passed, 0 failed, 0 differ, 4 not applicable. ML Kit's rules allow the model,"
          + " but Fovea refuses it. Fovea cannot use '"), "\(words)")
    #expect(
      words.hasSuffix(
        " (its operator is 'edgetpu-custom-op'). Use the file that it was compiled from: its name is usually the same"
          + " without '_edgetpu'."), "\(words)")
    let logit = try await Self.fovea("check", Self.model("grey_logit"), in: folder)
    #expect(logit.code == 1 && !logit.output.contains("and so does Fovea."), "\(logit)")
  }

  @Test func `inspect shows what a file that LiteRT cannot open declares, with the reason`()
    async throws
  {
    let folder = try TemporaryFolder()
    var model = TestModel.sound()
    model.customName = "ethos-u"
    model.graphs[0].tensors.append(.init(shape: [64], type: 3, name: "scratch"))
    model.graphs[0].operators = [.init(code: 32, inputs: [6, 0], outputs: [5])]
    let path = try folder.write("m_vela.tflite", model.bytes())
    let inspect = try await Self.fovea("inspect", path, in: folder)
    #expect(inspect.code == 0 && inspect.messages == "", "\(inspect)")
    #expect(inspect.output.contains("  operators  ethos-u\n"), "\(inspect)")
    #expect(inspect.output.contains("\n  inputs\n"))
    #expect(inspect.output.contains("  family     not recognised (it is compiled for Arm's Ethos-U"))
    #expect(inspect.output.components(separatedBy: path).count == 2, "\(inspect)")
  }

  /// A command with a model, and its exit code for one that no command can use.
  struct Command: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    var code: Int32 = 2
    var testDescription: String { arguments.joined(separator: " ") }
  }

  static let commands = [
    Command(arguments: ["detect", "PHOTO", "--model", "MODEL"]),
    Command(arguments: ["label", "PHOTO", "--model", "MODEL"]),
    Command(arguments: ["segment", "PHOTO", "--model", "MODEL"]),
    Command(arguments: ["embed", "PHOTO", "--model", "MODEL"]),
    Command(arguments: ["track", VideoFixture.path("h264.mp4"), "--model", "MODEL"]),
    Command(arguments: ["bench", "PHOTO", "--model", "MODEL"]),
    Command(arguments: ["bench", "PHOTO", "--task", "label", "--model", "MODEL"]),
    Command(arguments: ["bench", VideoFixture.path("h264.mp4"), "--mode", "video", "--model", "MODEL"]),
    Command(arguments: ["evaluate", "labels", "set", "--model", "MODEL"]),
    Command(arguments: ["model", "compare", "MODEL", "MODEL", "--photos", "PHOTO"]),
    Command(arguments: ["model", "quantize", "MODEL", "--photos", "PHOTO", "--output", "new.tflite"]),
    Command(arguments: ["model", "inspect", "MODEL"], code: 0),
    Command(arguments: ["model", "inspect", "MODEL", "--run"], code: 1),
    Command(arguments: ["model", "inspect", "MODEL", "--layers"], code: 1),
    Command(arguments: ["model", "check", "MODEL"], code: 1),
  ]

  @Test(arguments: commands)
  func `each command has one exit code for a model that cannot be used`(_ command: Command) async throws {
    let folder = try TemporaryFolder()
    var model = TestModel.sound()
    model.customName = "ethos-u"
    model.graphs[0].tensors.append(.init(shape: [64], type: 3, name: "scratch"))
    model.graphs[0].operators = [.init(code: 32, inputs: [6, 0], outputs: [5])]
    let path = try folder.write("m_vela.tflite", model.bytes())
    try folder.write("set/cat/1.jpg", "no image")
    let photo = PackageRoot.path + "/Examples/photos/cat.jpg"
    let values = ["MODEL": path, "PHOTO": photo, "set": folder["set"]]
    let arguments = command.arguments.map { $0 == "new.tflite" ? folder[$0] : values[$0] ?? $0 }
    let outcome = try await ModelCommandTests.fovea(arguments, in: folder)
    #expect(outcome.code == command.code, "\(outcome)")
    #expect((outcome.messages + outcome.output).contains("it is compiled for Arm's Ethos-U"), "\(outcome)")
  }

  @Test(arguments: [false, true])
  func `a model that does not run is reported the same without a run`(_ isJSON: Bool) async throws {
    let folder = try TemporaryFolder()
    var model = TestModel(tensors: [.init(shape: [1, 32, 64, 3], name: "image")], inputs: [0])
    model.customName = "MyOwnOp"
    model.graphs[0].outputs = [model.append(32, [0], makes: .init(shape: [1, 10], name: "scores"))]
    let path = try folder.write("m.tflite", model.bytes())
    let format = isJSON ? ["--json"] : []
    let inspect = try await ModelCommandTests.fovea(["model", "inspect", path] + format, in: folder)
    let run = try await ModelCommandTests.fovea(["model", "inspect", path, "--run"] + format, in: folder)
    #expect(inspect.code == 0 && run.code == 1 && !run.messages.isEmpty, "\(run)")
    let reason = "it needs the operator 'MyOwnOp', which LiteRT does not have"
    for outcome in [inspect, run] { #expect(outcome.output.contains(reason), "\(outcome)") }
    #expect(run.output.contains(isJSON ? #""run": {"error": "# : "  run     failed\n"), "\(run)")
  }

  @Test func `a detector has additional rules`() async throws {
    let folder = try TemporaryFolder()
    let check = try await Self.fovea("check", Self.model("ssd_postprocess"), in: folder)
    #expect(check.code == 1 && check.output.contains("  D3   differs A detector has metadata\n"), "\(check)")
    #expect(check.output.hasSuffix(" ML Kit refuses the model; Fovea accepts\n  it.\n"))
  }

  struct Report: Decodable {
    struct Rule: Decodable {
      var number: String
      var verdict: String
      var finding: String
      var status: Int?
      var statusText: String?
      var remedy: String?
    }
    var path: String
    var family: String?
    var acceptedByMLKit: Bool
    var acceptedByFovea: Bool
    var refusal: [String: String]?
    var rules: [Rule]
  }

  @Test func `JSON has each rule on one line`() async throws {
    let folder = try TemporaryFolder()
    let check = try await Self.fovea("check", Self.model("colors_unit"), "--json", in: folder)
    #expect(check.code == 1 && check.output.split(separator: "\n").count == 1)
    let report = try JSONDecoder().decode(Report.self, from: Data(check.output.utf8))
    #expect(report.path == Self.model("colors_unit") && report.family == "classifier")
    #expect(!report.acceptedByMLKit && !report.acceptedByFovea)
    #expect(report.rules.map(\.number) == (1...17).map(String.init))
    try #require(report.rules.count > 7)
    let rule = report.rules[6]
    #expect(rule.verdict == "failed" && rule.status == 208 && rule.statusText != nil && rule.remedy != nil)
    #expect(report.rules[0].verdict == "passed" && report.rules[0].status == nil)
    #expect(report.rules[7].verdict == "not-applicable")
    #expect(report.refusal == nil)
  }

  @Test func `JSON has the reason why Fovea cannot use a model`() async throws {
    let folder = try TemporaryFolder()
    let check = try await Self.fovea("check", Self.model("edge_tpu"), "--json", in: folder)
    let report = try JSONDecoder().decode(Report.self, from: Data(check.output.utf8))
    #expect(check.code == 1 && report.acceptedByMLKit && !report.acceptedByFovea)
    let refusal = try #require(report.refusal)
    #expect(refusal["message"]?.contains("edgetpu-custom-op") == true, "\(refusal)")
    #expect(refusal["remedy"]?.contains("Use the file that it was compiled from") == true, "\(refusal)")
  }

  struct Unusable: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var content: String?
    var message: String
  }

  @Test(arguments: [
    Unusable(testDescription: "a text", content: "not a model", message: "(the Task Library's status 3)"),
    Unusable(testDescription: "an empty file", content: "", message: "(the Task Library's status 102)"),
    Unusable(testDescription: "no file", content: nil, message: "There is no"),
  ])
  func `a file that is not a model is one line with the remedy`(_ row: Unusable) async throws {
    let folder = try TemporaryFolder()
    if let content = row.content { try folder.write("x.tflite", content) }
    let check = try await Self.fovea("check", folder["x.tflite"], in: folder)
    #expect(check.code == 1 && check.output == "", "\(check)")
    #expect(check.messages.hasPrefix("fovea: ") && check.messages.split(separator: "\n").count == 1)
    #expect(check.messages.contains(row.message) || row.content == nil, "\(check)")
  }
}
