// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaMetadata

@Suite struct ExporterDescriptionTests {
  struct TextCase: Sendable, CustomTestStringConvertible {
    var text: String
    var names: [String]?
    var testDescription: String { text }
  }

  static let cases = [
    TextCase(
      text: "{'description': 'Ultralytics YOLOv8n model', 'stride': 32, 'imgsz': [640, 640], "
        + "'args': {'names': 3}, 'names': {0: 'person', 1: 'traffic light'}, 'x': 1}",
      names: ["person", "traffic light"]),
    TextCase(text: #"{"task": "detect", "names": {"0": "a", "1": "b"}}"#, names: ["a", "b"]),
    TextCase(text: "{ 'names' : [ 'a' , \"it's\" ] }", names: ["a", "it's"]),
    TextCase(
      text: #"{'names': {0: 'it\'s', 1: "a \\ b", 2: 'Käfer'}}"#, names: ["it's", #"a \ b"#, "Käfer"]),
    TextCase(text: "{'names': {0: 'a',}}", names: ["a"]),
    TextCase(
      text: #"{"names": {"0": "caf\u00e9", "1": "\ud83d\ude00", "2": "a\nb\/c"}}"#,
      names: ["café", "😀", "a\nb/c"]),
    TextCase(text: #"{'names': ['\x41\xe9', '\U0001f600']}"#, names: ["Aé", "😀"]),
    TextCase(text: #"{"names": ["\ud83d"]}"#, names: nil),
    TextCase(text: #"{"names": ["\u+123"]}"#, names: nil),
    TextCase(text: #"{"names": ["\ud83d\u0041"]}"#, names: nil),
    TextCase(text: #"{"names": ["\u12"#, names: nil),
    TextCase(text: "{'names': {0: 'a'}", names: nil),
    TextCase(text: "", names: nil), TextCase(text: "person\ncar\n", names: nil),
    TextCase(text: "{", names: nil),
    TextCase(text: "{'names'", names: nil), TextCase(text: "{'names': {", names: nil),
    TextCase(text: "{'names': {}}", names: nil), TextCase(text: "{'names': []}", names: nil),
    TextCase(text: "{'names': {1: 'a'}}", names: nil),
    TextCase(text: "{'names': {0: 'a', 2: 'b'}}", names: nil),
    TextCase(text: "{'names': {0: 5}}", names: nil), TextCase(text: "{'names': {0: 'a' 1: 'b'}}", names: nil),
    TextCase(text: "{'names': {0: 'a", names: nil), TextCase(text: #"{'names': {0: 'a\"#, names: nil),
    TextCase(text: "{'names': 7}", names: nil), TextCase(text: "{'other': {'names': {0: 'a'}}}", names: nil),
    TextCase(text: "{99999999999999999999: 'a', 'names': {99999999999999999999: 'a'}}", names: nil),
  ]

  @Test(arguments: cases)
  func `the names of a dictionary are found, and nothing else counts as one`(_ test: TextCase) {
    #expect(ExporterDescription.parse(Array(test.text.utf8))?.names == test.names)
  }

  @Test func `the texts of the outermost level are found`() throws {
    let text =
      #"{"task": "detect", "a": {"task": "no"}, "license": "AGPL-3.0", "imgsz": [1, "version"], "names": ["x"]}"#
    let found = try #require(ExporterDescription.parse(Array(text.utf8)))
    #expect(found.task == "detect")
    #expect(found.license == "AGPL-3.0")
    #expect(found.version == nil)
  }

  @Test func `a description in a compressed archive without TFLite metadata is read`() throws {
    let model = SyntheticModel.make() + InflatedEntryTests.archive
    let found = try #require(try ExporterDescription.read(model.span))
    #expect(found.names == ["circle", "café 😀"])
    #expect(found.task == "detect")
    #expect(found.source == "metadata.json")
    #expect(try ExporterDescription.read(SyntheticModel.make().span) == nil)
    let other =
      SyntheticModel.make() + ModelArchiveTests.archive([SyntheticModel.file("metadata.json", "[1]")])
    #expect(try ExporterDescription.read(other.span) == nil)
  }

  @Test func `no truncation or changed byte does harm`() {
    let text = Array(Self.cases[0].text.utf8)
    for length in text.indices { _ = ExporterDescription.parse(Array(text[..<length])) }
    for index in text.indices {
      for byte: UInt8 in [0, 0x27, 0x5c, 0x7b, 0x7d, 0x80, 0xff] {
        var changed = text
        changed[index] = byte
        _ = ExporterDescription.parse(changed)
      }
    }
  }

  @Test func `labels that the exporter wrote as a dictionary are read from the model`() throws {
    var output = TensorMetadata(name: "output")
    output.files = [AssociatedFile(name: "temp_meta.txt", kind: .axisLabels)]
    var graph = ModelMetadata.Subgraph()
    graph.outputs = [output]
    var metadata = ModelMetadata()
    metadata.subgraphs = [graph]
    let model = try MetadataWriter.write(
      metadata,
      files: [SyntheticModel.file("temp_meta.txt", "{'task': 'detect', 'names': {0: 'person', 1: 'car'}}")],
      to: SyntheticModel.make())
    let map = try LabelMap.read(for: output, model: model)
    #expect(map?.names == ["person", "car"] && map?.form == .json && map?.source == "temp_meta.txt")
  }
}
