// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Fovea
import FoveaTesting
import Testing

/// Label files whose lines may not be labels, for detectors that do not show their number of classes.
///
/// The fixtures find an object of class 0 and one of class 2.
@Suite struct UncountedLabelsTests {
  typealias Family = KnownAnswerTests.Family

  @Test(
    arguments: KnownAnswerTests.uncounted,
    ["label", "name", "class", "labels", "names", "classes", "Label", "class name", "Labels:", "id name"])
  func `a first line that may be a header is an error with both remedies`(
    _ family: Family, _ header: String
  ) async throws {
    let folder = try TemporaryFolder()
    let model = KnownAnswerTests.model(family.model)
    var options = KnownAnswerTests.options(family)
    let file = try folder.write("labels.txt", "\(header)\nred\ngreen\nblue\n")
    options.labelFile = file
    let error = await #expect(throws: FoveaError.self) {
      _ = try await ObjectDetector(model: model, options: options)
    }
    #expect(error?.code.rawValue == "labels-do-not-fit")
    let message = "and line 1 of '\(file)', '\(header)', may be a header or class 0"
    #expect(error?.message.hasSuffix(message) == true, "\(error?.message ?? "")")
    #expect(
      error?.remedy.description == """
        Remove that line if it is a header. If it is a class, number the lines from 0, beginning with \
        '0 \(header)'
        """)
    let needs = try ModelInspection(of: model, options: options).needs
    #expect(needs.contains { $0.description.contains(message) }, "\(needs)")

    for (text, names) in [
      ("red\ngreen\nblue\n", ["red", "green", "blue"]),
      ("0 \(header)\n1 red\n2 green\n3 blue\n", [header, "red", "green", "blue"]),
    ] {
      options.labelFile = try folder.write("labels.txt", text)
      let detector = try await ObjectDetector(model: model, options: options)
      #expect(try await detector.classNames() == names)
      let notes = try await detector.assumptions().map(\.description)
      #expect(notes.allSatisfy { !$0.contains("labels.txt") }, "\(notes)")
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var text: String
    /// The labels of classes 0 and 2.
    var found: Set<String>
    /// The end of the note.
    var note: String
    var testDescription: String { text.debugDescription }
  }

  static let rows = [
    Row(
      text: "red\n\ngreen\nblue\n", found: ["red", "green"],
      note: "line 2 of 'FILE', which is blank, is used as class 1. Remove it if it is not a class"),
    Row(
      text: "red\n\nblue\n\nx\n", found: ["red", "blue"],
      note: """
        2 blank lines of 'FILE' are used as classes, the first of them, line 2, as class 1. Remove them if they \
        are not classes
        """),
    Row(
      text: "text\ntitle\nlist\n", found: ["text", "list"],
      note: "line 1 of 'FILE', 'text', is used as class 0. Remove it if it is a header"),
    Row(
      text: "red\n#2\nblue\n", found: ["red", "blue"],
      note: "line 2 of 'FILE', '#2', is used as class 1. Remove it if it is a comment"),
  ]

  @Test(arguments: KnownAnswerTests.uncounted, rows)
  func `a line that may not be a label has a note`(_ family: Family, _ row: Row) async throws {
    let folder = try TemporaryFolder()
    let model = KnownAnswerTests.model(family.model)
    var options = KnownAnswerTests.options(family)
    let file = try folder.write("labels.txt", row.text)
    options.labelFile = file
    let detector = try await ObjectDetector(model: model, options: options)
    let objects = try await detector.detect(in: BlockImage.png())
    #expect(Set(objects.compactMap { $0.labels.first?.text }) == row.found)
    let note = row.note.replacing("FILE", with: file)
    let notes = try await detector.assumptions().map(\.description)
    #expect(notes.contains { $0.hasSuffix("does not show how many classes it has; " + note) }, "\(notes)")
    let needs = try ModelInspection(of: model, options: options).needs
    #expect(needs.contains { $0.description.hasSuffix(note) }, "\(needs)")
  }

  @Test(arguments: KnownAnswerTests.uncounted)
  func `an object whose class is a blank line is an error`(_ family: Family) async throws {
    let folder = try TemporaryFolder()
    var options = KnownAnswerTests.options(family)
    options.labelFile = try folder.write("labels.txt", "red\ngreen\n\nblue\n")
    // Lists of labels do not hide it.
    for allowed in [[], ["blue"]] {
      options.allowedLabels = allowed
      let detector = try await ObjectDetector(model: KnownAnswerTests.model(family.model), options: options)
      let error = await #expect(throws: FoveaError.self) { try await detector.detect(in: BlockImage.png()) }
      #expect(error?.code.rawValue == "labels-do-not-fit")
      #expect(error?.message.contains("returned class 2, which is a blank line, line 3, in '") == true)
    }
  }

  @Test func `the model's own labels settle which lines are labels`() async throws {
    let folder = try TemporaryFolder()
    let source = URL(fileURLWithPath: PackageRoot.path + "/Tests/Fixtures/models/yolov10.tflite")
    var graph = ModelMetadata.Subgraph()
    graph.inputs = [TensorMetadata(name: "image")]
    graph.outputs = [TensorMetadata(name: "objects")]
    graph.outputs[0].files = [AssociatedFile(name: "own.txt", kind: .valueLabels)]
    var metadata = ModelMetadata()
    metadata.subgraphs = [graph]
    let own = AssociatedFileContents(name: "own.txt", contents: Array("rot\ngrün\nblau\n".utf8))
    let model = try folder.write(
      "m.tflite", MetadataWriter.write(metadata, files: [own], to: [UInt8](Data(contentsOf: source))))
    for text in ["label\nred\ngreen\nblue\n", "red\n\ngreen\nblue\n"] {
      var options = ObjectDetector.Options()
      options.family = .yolov10
      options.labelFile = try folder.write("labels.txt", text)
      let detector = try await ObjectDetector(model: .file(model), options: options)
      #expect(try await detector.classNames() == ["red", "green", "blue"])
      let notes = try await detector.assumptions().map(\.description)
      #expect(notes.allSatisfy { !$0.contains("labels.txt") }, "\(notes)")
    }
  }
}
