// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaTesting
import Testing

@testable import FoveaMetadata

@Suite struct ModelGraphCheckTests {
  static let models = PackageRoot.path + "/Sources/CEmbeddedModels/models/"

  static func model() throws -> [UInt8] {
    let names = try FileManager.default.contentsOfDirectory(atPath: models).filter { $0.hasSuffix(".tflite") }
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: models + (try #require(names.min())))))
  }

  /// Where the numbers of the first operator's inputs lie.
  static func firstInput(_ bytes: [UInt8]) throws -> Int {
    var budget = FlatBudget()
    let root = try ModelFile(bytes.span).root
    let graphs = try root.tables(ModelFile.Field.subgraphs, in: bytes.span, &budget)
    let nodes = try #require(try graphs.first?.tables(FlatField(3, "operators"), in: bytes.span, &budget))
    return try #require(try nodes.first?.vector(FlatField(1, "inputs"), stride: 4, in: bytes.span)).start
  }

  @Test func `a sound model passes`() throws {
    let bytes = try Self.model()
    #expect(throws: Never.self) { try ModelGraphCheck.check(bytes.span) }
  }

  @Test(
    arguments: [("-1", [0xff, 0xff, 0xff, 0xff]), ("16777215", [0xff, 0xff, 0xff, 0x00])]
      as [(String, [UInt8])])
  func `an operator without its tensor is an error, not the end of the process`(
    _ number: String, _ index: [UInt8]
  ) throws {
    var bytes = try Self.model()
    let start = try Self.firstInput(bytes)
    bytes.replaceSubrange(start..<start + 4, with: index)
    let error = #expect(throws: MetadataError.self) { try ModelGraphCheck.check(bytes.span) }
    #expect(error?.code == .damagedModel)
    #expect(error?.message.contains("operator 0 uses tensor \(number), but the model has ") == true)
  }
}
