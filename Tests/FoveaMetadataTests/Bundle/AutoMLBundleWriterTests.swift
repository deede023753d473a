// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaTesting
import Testing

@testable import FoveaMetadata

@Suite struct AutoMLBundleWriterTests {
  private static let model = SyntheticModel.make()
  private static let labels = ["daisy", "dandelion"]

  private static func write(
    _ writer: AutoMLBundleWriter = AutoMLBundleWriter(), files: [AssociatedFileContents] = [],
    to folder: String
  ) throws(MetadataError) {
    try writer.write(model: model, labels: labels, training: Array("{}".utf8), files: files, to: folder)
  }

  @Test func `the bundle matches AutoML's`() throws {
    let folder = try TemporaryFolder()
    try Self.write(files: [SyntheticModel.file("report.html", "<p>")], to: folder["a/flowers/"])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder["a/flowers"]).sorted()
    #expect(names == ["dict.txt", "manifest.json", "model.tflite", "report.html", "training.json"])
    #expect(try folder.read("a/flowers/dict.txt") == "daisy\ndandelion\n")
    #expect(
      try folder.read("a/flowers/manifest.json") == """
        {
          "modelType": "IMAGE_LABELING",
          "modelFile": "model.tflite",
          "labelsFile": "dict.txt"
        }

        """)
    let bundle = try ModelBundle.open(folder["a/flowers"])
    #expect(bundle.kind == .autoMLLabeling)
    #expect(bundle.modelPath == folder["a/flowers/model.tflite"])
    #expect(bundle.labelsPath == folder["a/flowers/dict.txt"])
    #expect(try folder.names() == ["a"])
  }

  @Test(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)))
  func `the manifest matches Google's quickstart, byte for byte`() throws {
    let folder = try TemporaryFolder()
    try Self.write(to: folder["flowers"])
    let expected = try SharedData.bytes("models/classify/mlkit_automl_android/manifest.json")
    #expect(Array(try folder.read("flowers/manifest.json").utf8) == expected)
  }

  @Test func `a bundle is replaced only on request, and other folders never`() throws {
    let folder = try TemporaryFolder()
    try Self.write(to: folder["flowers"])
    try folder.write("flowers/dict.txt", "old")
    let error = failure { () throws(MetadataError) in try Self.write(to: folder["flowers"]) }
    #expect(error?.code == .cannotWrite)
    #expect(error?.message.hasSuffix("it already has a model") == true)
    #expect(try folder.read("flowers/dict.txt") == "old")
    try Self.write(AutoMLBundleWriter(replaces: true), to: folder["flowers"])
    #expect(try folder.read("flowers/dict.txt") == "daisy\ndandelion\n")
    try folder.write("flowers/thesis.tex", "years of work")
    let stranger = failure { () throws(MetadataError) in
      try Self.write(AutoMLBundleWriter(replaces: true), to: folder["flowers"])
    }
    #expect(stranger?.message.hasSuffix("it has 'thesis.tex', which does not belong to a bundle") == true)
    #expect(try folder.names() == ["flowers"])
    #expect(try folder.read("flowers/thesis.tex") == "years of work")
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var message: String
    var isKnownBefore = true
    /// The written files, by a name in the folder.
    var path: String
    var make: @Sendable (TemporaryFolder) throws -> Void = { _ in }
  }

  @Test(arguments: [
    Refusal(testDescription: "a file of that name", message: "there is a file of that name", path: "x") {
      try $0.write("x", "")
    },
    Refusal(testDescription: "a folder in a file", message: "Not a directory", path: "x/y") {
      try $0.write("x", "")
    },
    Refusal(
      testDescription: "the folder itself", message: "the path of a bundle must end in a folder name",
      path: "."),
    Refusal(
      testDescription: "the folder above", message: "the path of a bundle must end in a folder name",
      path: "x/.."),
  ])
  func `obstacles to writing are reported before`(_ refusal: Refusal) throws {
    let folder = try TemporaryFolder()
    try refusal.make(folder)
    let before = try folder.names()
    for writer in [AutoMLBundleWriter(), AutoMLBundleWriter(replaces: true)] {
      let path = folder[refusal.path]
      let message = "The folder '\(path)' cannot be written: \(refusal.message)"
      #expect(failure { () throws(MetadataError) in try writer.check(path) }?.message == message)
      #expect(failure { () throws(MetadataError) in try Self.write(writer, to: path) }?.message == message)
    }
    #expect(try folder.names() == before)
  }

  @Test func `broken parts leave nothing`() throws {
    let folder = try TemporaryFolder()
    let writer = AutoMLBundleWriter()
    #expect(
      failure { () throws(MetadataError) in try writer.write(model: [1], labels: ["a"], to: folder["x"]) }?
        .code
        == .notAModel)
    #expect(
      failure { () throws(MetadataError) in
        try writer.write(model: Self.model, labels: ["a\nb"], to: folder["x"])
      }?.code == .badLabels)
    let escape = SyntheticModel.file("../y", "")
    #expect(
      failure { () throws(MetadataError) in try Self.write(files: [escape], to: folder["x"]) }?.message
        == "'../y' does not belong to a bundle")
    #expect(try folder.names() == [])
  }
}
