// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModelFile

/// Signatures that do not fit their graph are taken out of the list; the others stay what they are.
@Suite struct SignatureRepairTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Why the signature is ignored; nil where it fits.
    let reason: String?
    let change: @Sendable (inout GraphModel.Signature) -> Void

    init(_ id: String, _ reason: String?, _ change: @escaping @Sendable (inout GraphModel.Signature) -> Void)
    {
      testDescription = id
      self.reason = reason
      self.change = change
    }
  }

  /// The graph takes tensor 0 and gives tensor 5.
  static func fitting(_ key: String = "serving_default") -> GraphModel.Signature {
    var signature = GraphModel.Signature.of(0, 0)
    signature.key = key
    signature.outputs = [("scores", 5)]
    return signature
  }

  static let cases = [
    Case("one that fits", nil) { _ in },
    Case("a tensor behind the input", "it names tensor 3 as input, but the graph's inputs are [0]") {
      $0.inputs = [("image", 3)]
    },
    Case("a tensor before the output", "it names tensor 4 as output, but the graph's outputs are [5]") {
      $0.outputs = [("scores", 4)]
    },
    Case("no input", "it names 0 of the graph's 1 inputs") { $0.inputs = [] },
    Case("no output", "it names 0 of the graph's 1 outputs") { $0.outputs = [] },
    Case("an output twice", "it names 1 of the graph's 1 outputs") {
      $0.outputs = [("scores", 5), ("again", 5)]
    },
    Case("an input without a name", "an input has no name") { $0.inputs = [(nil, 0)] },
    Case("an output with an empty name", "an output has no name") { $0.outputs = [("", 5)] },
    Case("no name of its own", "it has no name") { $0.key = nil },
  ]

  @Test(arguments: cases) func `a signature that does not fit the graph is taken out`(_ item: Case) throws {
    var model = GraphModel()
    var signature = Self.fitting()
    item.change(&signature)
    model.signatures = [signature]
    let bytes = model.bytes()
    let expected = item.reason.map { "the signature '\(signature.key ?? "")' is ignored: \($0)" }
    #expect(try ModelGraphCheck.check(bytes.span).map(\.message) == [expected].compactMap { $0 })
    guard expected != nil else { return }
    let patched = try Self.patched(bytes)
    #expect(try ModelGraphCheck.check(patched.span).isEmpty)
    #expect(try Self.keys(patched) == [])
  }

  @Test func `signatures that fit stay, in their order`() throws {
    var model = GraphModel()
    var wrong = Self.fitting("wrong")
    wrong.inputs = [("image", 1)]
    model.signatures = [wrong, Self.fitting("a"), Self.fitting("b"), Self.fitting("a"), Self.fitting("c")]
    let bytes = model.bytes()
    #expect(
      try ModelGraphCheck.check(bytes.span).map(\.message) == [
        "the signature 'wrong' is ignored: it names tensor 1 as input, but the graph's inputs are [0]",
        "the signature 'a' is ignored: another has the same name",
      ])
    #expect(try Self.keys(Self.patched(bytes)) == ["a", "b", "c"])
  }

  @Test func `two inputs of one name are told apart by nobody`() throws {
    var model = GraphModel()
    model.append(0, [0, 0], makes: [1, 8, 6, 3])
    model.graphs[0].outputs = [5, 6]
    var signature = Self.fitting()
    signature.outputs = [("same", 5), ("same", 6)]
    model.signatures = [signature]
    #expect(
      try ModelGraphCheck.check(model.bytes().span).map(\.message) == [
        "the signature 'serving_default' is ignored: two outputs have the same name"
      ])
  }

  static func patched(_ bytes: [UInt8]) throws -> [UInt8] {
    let patch = try #require(try ModelGraphCheck.patch(bytes.span))
    var result = [UInt8](repeating: 0, count: patch.byteCount)
    var span = result.mutableSpan
    patch.write(bytes.span, into: &span)
    return result
  }

  private static func keys(_ bytes: [UInt8]) throws -> [String] {
    var budget = FlatBudget()
    let root = try ModelFile(bytes.span).root
    return try root.tables(ModelFile.Field.signatureDefs, in: bytes.span, &budget).map {
      try $0.string(GraphSchema.Signature.key, in: bytes.span, &budget) ?? ""
    }
  }
}
