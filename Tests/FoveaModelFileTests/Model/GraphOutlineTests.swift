// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModelFile

/// A file's statements about its graph, whether or not a runtime opens it.
@Suite struct GraphOutlineTests {
  @Test func `tensors are read, and operators named and counted`() throws {
    var model = TestModel.sound()
    model.graphs[0].tensors[0] = .quantized([1, 8, 6, 3], 9, 0.5, -128)
    model.graphs[0].tensors[0].name = "image"
    model.graphs[0].operators.append(model.graphs[0].operators[1])
    let bytes = model.bytes()
    let outline = try GraphOutline.read(bytes.span)
    #expect(outline.operators.map(\.name) == ["CONV_2D", "RELU", "RESHAPE"])
    #expect(outline.operators.map(\.count) == [1, 2, 1])
    #expect(
      outline.inputs == [
        GraphOutline.Tensor(name: "image", type: "int8", shape: [1, 8, 6, 3], scales: [0.5], zeroPoint: -128)
      ])
    #expect(outline.outputs.map(\.shape) == [[1, 24]] && outline.outputs.map(\.type) == ["float32"])
  }

  @Test(arguments: [
    (0, "ADD"), (16, "LSTM"), (27, "SVDF"), (44, "UNIDIRECTIONAL_SEQUENCE_LSTM"), (67, "TRANSPOSE_CONV"),
    (97, "RESIZE_NEAREST_NEIGHBOR"), (114, "QUANTIZE"), (126, "BATCH_MATMUL"),
    (161, "RIGHT_SHIFT"), (999, "operator 999"),
  ])
  func `operators have their names from the schema`(_ code: Int, _ name: String) {
    #expect(OperatorNames.name(of: OperatorKind(code: UInt32(code), customName: nil)) == name)
    #expect(OperatorNames.name(of: OperatorKind(code: 32, customName: "own")) == "own")
  }

  @Test func `each operator has its own name`() {
    for kind in BuiltinOperator.allCases {
      #expect(kind.name.filter { $0 != "_" }.lowercased() == "\(kind)".lowercased())
    }
    #expect(BuiltinOperator.allCases.map(\.rawValue) == Array(0...161))
  }

  @Test func `types have their names from the schema`() {
    let codes: [UInt8] = [0, 2, 3, 9, 18, 99]
    #expect(
      codes.map(OperatorNames.name(ofType:)) == [
        "float32", "int32", "uint8", "int8", "bfloat16", "type 99",
      ])
  }

  @Test(arguments: [(1024, true), (1025, false)])
  func `an operator's name is read up to its length limit`(_ length: Int, _ isRead: Bool) throws {
    var model = TestModel.sound()
    let name = String(repeating: "n", count: length)
    model.customName = name
    model.graphs[0].operators[1].code = 32
    model.graphs[0].operators.append(model.graphs[0].operators[1])
    let bytes = model.bytes()
    let outline = try GraphOutline.read(bytes.span)
    let named = outline.operators.first { $0.name == name }
    #expect(named?.count == (isRead ? 2 : nil))
    #expect(outline.operators.isEmpty != isRead)
    let summary = failure { () throws(MetadataError) in try ModelGraphSummary.read(bytes.span) }
    let names = failure { () throws(MetadataError) in try ModelGraphSummary.customNames(bytes.span) }
    let message = "the name of a custom operator is 1025 bytes long; expected at most 1024"
    for error in [summary, names] { #expect(error?.message == (isRead ? nil : message)) }
    let found = try? ModelGraphSummary.customNames(bytes.span)
    #expect(found == (isRead ? [name] : nil))
  }

  @Test func `unreadable operators hide no tensors`() throws {
    var model = TestModel.sound()
    model.graphs[0].operators[1].code = 32
    model.customName = "long-name-of-a-kind"
    var bytes = model.bytes()
    let name = try #require(bytes.firstRange(of: Array("long-name-of-a-kind".utf8)))
    // The name's length is past the end of the file.
    bytes[name.lowerBound - 2] = 0x7F
    let outline = try GraphOutline.read(bytes.span)
    #expect(outline.operators.isEmpty)
    #expect(outline.inputs.map(\.shape) == [[1, 8, 6, 3]] && outline.outputs.map(\.shape) == [[1, 24]])
  }

  @Test func `names and lists too long to read are cut or an error`() throws {
    func outline(_ change: (inout TestModel.Graph) -> Void) throws -> GraphOutline {
      var model = TestModel.sound()
      change(&model.graphs[0])
      let bytes = model.bytes()
      return try GraphOutline.read(bytes.span)
    }
    for length in [200, 201] {
      let found = try outline { $0.tensors[0].name = String(repeating: "é", count: length) }
      #expect(
        found.inputs.map(\.name) == [String(repeating: "é", count: 200) + (length > 200 ? "…" : "")])
    }
    let full = try outline { $0.inputs = [Int32](repeating: 0, count: 999) }
    #expect(full.inputs.count == 999 && full.outputs.count == 1)
    let many = #expect(throws: MetadataError.self) {
      try outline { $0.inputs = [Int32](repeating: 0, count: 1000) }
    }
    #expect(many?.message == "the model has 1000 inputs and 1 outputs; expected at most 1000")
    let deep = try outline { $0.tensors[5].shape = [Int32](repeating: 1, count: 32) }
    #expect(deep.outputs.map(\.shape.count) == [32])
    let deeper = #expect(throws: MetadataError.self) {
      try outline { $0.tensors[5].shape = [Int32](repeating: 1, count: 33) }
    }
    #expect(deeper?.message == "an input or output has 33 dimensions; expected at most 32")
  }

  @Test func `bytes that are not a model are an error`() {
    let bytes = [UInt8](repeating: 7, count: 64)
    #expect(throws: MetadataError.self) { try GraphOutline.read(bytes.span) }
  }
}
