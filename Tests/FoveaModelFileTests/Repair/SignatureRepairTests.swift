// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModelFile

/// Signatures that do not fit their graph are removed from the list; the others stay unchanged.
@Suite struct SignatureRepairTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The reason for ignoring the signature; nil if it fits.
    let reason: String?
    let change: @Sendable (inout TestModel.Signature) -> Void

    init(_ id: String, _ reason: String?, _ change: @escaping @Sendable (inout TestModel.Signature) -> Void) {
      testDescription = id
      self.reason = reason
      self.change = change
    }
  }

  /// The graph reads tensor 0 and returns tensor 5.
  static func fitting(_ key: String = "serving_default") -> TestModel.Signature {
    .init(key, inputs: [0], outputs: [5])
  }

  static let cases = [
    Case("one that fits", nil) { _ in },
    Case("a tensor after the input", "it names tensor 3 as input, but the graph's inputs are [0]") {
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

  @Test(arguments: cases) func `a signature that does not fit the graph is removed`(_ item: Case) throws {
    var model = TestModel.sound()
    var signature = Self.fitting()
    item.change(&signature)
    model.signatures = [signature]
    let bytes = model.bytes()
    let expected = item.reason.map { "the signature '\(signature.key ?? "")' is ignored: \($0)" }
    #expect(try ModelGraphCheck.check(bytes.span).map(\.message) == [expected].compactMap { $0 })
    guard expected != nil else { return }
    let patched = try Self.patched(bytes)
    #expect(try ModelGraphCheck.check(patched.span).isEmpty)
    #expect(try GraphReading(patched).signatures == [])
  }

  @Test func `signatures that fit stay, in their order`() throws {
    var model = TestModel.sound()
    var wrong = Self.fitting("wrong")
    wrong.inputs = [("image", 1)]
    model.signatures = [wrong, Self.fitting("a"), Self.fitting("b"), Self.fitting("a"), Self.fitting("c")]
    let bytes = model.bytes()
    #expect(
      try ModelGraphCheck.check(bytes.span).map(\.message) == [
        "the signature 'wrong' is ignored: it names tensor 1 as input, but the graph's inputs are [0]",
        "the signature 'a' is ignored: another signature has the same name",
      ])
    #expect(try GraphReading(Self.patched(bytes)).signatures == ["a", "b", "c"])
  }

  @Test func `two inputs with one name cannot be distinguished`() throws {
    var model = TestModel.sound()
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
}
