// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModelFile

/// Outputs that nobody reads are removed, with the operators that only they need.
@Suite struct OutputCutTests {
  /// The sound graph, with outputs before and after its own: tensors 4, 6, 5 and 7.
  static func model() -> TestModel {
    var model = TestModel.sound()
    model.append(19, [3], makes: [1, 4, 3, 2])
    model.append(0, [6, 4], makes: [1, 4, 3, 2])
    model.graphs[0].outputs = [4, 6, 5, 7]
    for index in model.graphs[0].tensors.indices { model.graphs[0].tensors[index].name = "t\(index)" }
    model.signatures = [TestModel.Signature(inputs: [0], outputs: [7, 5, 6, 4])]
    return model
  }

  static func cut(_ model: TestModel, keeping names: Set<String>) throws -> [UInt8]? {
    let bytes = model.bytes()
    guard let patch = try OutputCut.patch(bytes.span, keeping: names) else { return nil }
    var result = [UInt8](repeating: 0, count: patch.byteCount)
    var span = result.mutableSpan
    patch.write(bytes.span, into: &span)
    return result
  }

  static func outputs(_ bytes: [UInt8]) throws -> [Int] {
    var budget = FlatBudget()
    return try SourceGraph(bytes.span, &budget, refusal: { .damaged($0) }).outputs
  }

  @Test(
    arguments: [
      (["t7"], [7], [3, 19, 19, 0]), (["t6"], [6], [3, 19]), (["t5", "t6"], [6, 5], [3, 19, 22, 19]),
      (["t4"], [4], [3, 19]), (["t4", "t5", "t7"], [4, 5, 7], [3, 19, 22, 19, 0]),
    ] as [(Set<String>, [Int], [UInt32])])
  func `the kept outputs and their operators stay, in their order`(
    _ names: Set<String>, _ outputs: [Int], _ operators: [UInt32]
  ) throws {
    let cut = try #require(try Self.cut(Self.model(), keeping: names))
    #expect(try Self.outputs(cut) == outputs)
    #expect(try GraphReading(cut).operators.map(\.code) == operators)
    // The signature has the same outputs, or it would be ignored.
    #expect(try ModelGraphCheck.check(cut.span).isEmpty)
    #expect(try GraphReading(cut).signatures == ["serving_default"])
  }

  @Test(arguments: [["t4", "t5", "t6", "t7"], [], ["t3"], ["t5", "none"]] as [Set<String>])
  func `nothing is removed if all are kept, or one is no output`(_ names: Set<String>) throws {
    #expect(try Self.cut(Self.model(), keeping: names) == nil)
  }

  @Test func `outputs with one name, and graphs with state or calls, stay whole`() throws {
    var twins = Self.model()
    twins.graphs[0].tensors[6].name = "t5"
    #expect(try Self.cut(twins, keeping: ["t5"]) == nil)
    var twice = Self.model()
    twice.graphs[0].outputs = [4, 5, 5]
    #expect(try Self.cut(twice, keeping: ["t4"]) == nil)
    var stateful = Self.model()
    stateful.graphs[0].operators.append(TestModel.Operator(code: 129))
    #expect(try Self.cut(stateful, keeping: ["t5"]) == nil)
    var several = Self.model()
    several.graphs.append(several.graphs[0])
    #expect(try Self.cut(several, keeping: ["t5"]) == nil)
  }
}
