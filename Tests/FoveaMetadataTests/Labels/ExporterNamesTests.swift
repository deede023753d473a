// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaMetadata

@Suite struct ExporterNamesTests {
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
  func `the names of a dictionary are found, and nothing else is taken for one`(_ test: TextCase) {
    #expect(ExporterNames.parse(Array(test.text.utf8)) == test.names)
  }

  @Test func `no cut or changed byte does harm`() {
    let text = Array(Self.cases[0].text.utf8)
    for length in text.indices { _ = ExporterNames.parse(Array(text[..<length])) }
    for index in text.indices {
      for byte: UInt8 in [0, 0x27, 0x5c, 0x7b, 0x7d, 0x80, 0xff] {
        var changed = text
        changed[index] = byte
        _ = ExporterNames.parse(changed)
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
    #expect(map == LabelMap(names: ["person", "car"], source: "temp_meta.txt"))
  }
}
