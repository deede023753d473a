// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaMetadata

@Suite struct GraphCutTests {
  @Test func `only the operators of the embedding remain, renumbered`() throws {
    let model = try HeadFixture.model("classifier_uint8")
    let cut = try EmbeddingGraph(model: model, name: "model").bytes()
    let (old, new) = try (GraphReading(model), GraphReading(cut))
    #expect(new.operators.map(\.code) == [3, 4, 1])
    #expect(new.operators.map(\.version) == [1, 1, 1])
    #expect(new.operators.map(\.inputs) == [[0, 1, 2], [3, 4, 5], [6]])
    #expect(new.tensors == Array(old.tensors[0...7]))
    #expect(new.signatures == ["serving_default"])
    #expect(cut.count < model.count)
    #expect(throws: Never.self) { try ModelGraphCheck.check(cut.span) }
  }

  @Test func `options stay unchanged`() throws {
    // The strides of the convolution and the window of the mean determine the shapes, which the check
    // compares.
    let summary = try Self.options(of: HeadFixture.model("classifier_uint8"), first: 4)
    let cut = try Self.options(of: HeadFixture.graph("classifier_uint8").bytes())
    #expect(cut == Array(summary.prefix(3)))
    #expect(cut.map(\.type) == [1, 2, 5])
    // And the list of a RESHAPE.
    let last = try Self.options(of: HeadFixture.graph("classifier_uint8", .last).bytes())
    #expect(last == summary)
  }

  private struct Options: Equatable {
    var type: UInt8
    var fields: [UInt32]
  }

  /// The first six options of convolutions and pools that are padding and activation, one byte each.
  private static let singleBytes: [UInt8: Set<Int>] = [1: [0, 3], 2: [0, 4], 5: [0, 5]]

  private static func options(of model: [UInt8], first: Int = .max) throws -> [Options] {
    var budget = FlatBudget()
    let bytes = model.span
    let graph = try ModelFile(bytes).root.tables(ModelFile.Field.subgraphs, in: bytes, &budget)[0]
    var result: [Options] = []
    for node in try graph.tables(GraphSchema.Subgraph.operators, in: bytes, &budget).prefix(first) {
      let type = try node.uint8(GraphSchema.Operator.optionsType, in: bytes)
      let table = try #require(try node.table(GraphSchema.Operator.options, in: bytes, &budget))
      var fields: [UInt32] = []
      if let bytesAlone = Self.singleBytes[type] {
        for id in 0..<6 {
          let field = FlatField(id, "")
          fields.append(
            bytesAlone.contains(id)
              ? UInt32(try table.uint8(field, in: bytes)) : try table.uint32(field, in: bytes))
        }
      } else {
        fields = try table.uint32s(FlatField(0, ""), in: bytes, &budget)
      }
      result.append(Options(type: type, fields: fields))
    }
    return result
  }

  @Test func `a graph that cannot be copied is an error`() {
    var model = HeadFixture.floats()
    // BucketizeOptions hold a list, and the options after RightShiftOptions are unknown.
    #expect(Self.refusal(model, optionsType: 1) == nil)
    for type in [3, 111, 115, 127, 255] as [UInt8] {
      #expect(
        Self.refusal(model, optionsType: type)
          == "'model': The operator CONV_2D has options that cannot be copied")
    }
    model.graphs[0].operators[0].options = nil
    #expect(Self.refusal(model, optionsType: nil) == nil)
  }

  /// The error for a model whose first operator has options of this kind; nil if it is cut.
  private static func refusal(_ model: TestModel, optionsType: UInt8?) -> String? {
    failure { () throws(MetadataError) in
      var bytes = model.bytes()
      if let optionsType {
        var budget = FlatBudget()
        let copy = bytes
        let span = copy.span
        let graph = try ModelFile(span).root.tables(ModelFile.Field.subgraphs, in: span, &budget)[0]
        let node = try graph.tables(GraphSchema.Subgraph.operators, in: span, &budget)[0]
        if let slot = try node.slot(GraphSchema.Operator.optionsType, size: 1, in: span) {
          bytes[slot] = optionsType
        }
      }
      return try EmbeddingGraph(model: bytes, name: "model")
    }?.message
  }

  @Test func `equal input gives equal bytes`() throws {
    for name in ["classifier_uint8", "logits"] {
      let (first, second) = try (HeadFixture.graph(name), HeadFixture.graph(name))
      #expect(first.bytes() == second.bytes())
      #expect(first.bytes() == first.bytes())
      #expect(try first.appending(HeadFixture.head()) == second.appending(HeadFixture.head()))
    }
  }

  @Test func `a cut graph can be cut again`() throws {
    let cut = try HeadFixture.graph("classifier_uint8").bytes()
    #expect(try EmbeddingGraph(model: cut, name: "cut").bytes() == cut)
  }
}
