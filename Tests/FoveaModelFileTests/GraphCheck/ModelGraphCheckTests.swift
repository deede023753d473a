// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaTesting
import Testing

@testable import FoveaModelFile

@Suite struct ModelGraphCheckTests {
  static let models = PackageRoot.path + "/Sources/C/CEmbeddedModels/models/"

  static func model() throws -> [UInt8] {
    let names = try FileManager.default.contentsOfDirectory(atPath: models).filter { $0.hasSuffix(".tflite") }
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: models + (try #require(names.min())))))
  }

  /// The offset of the first operator's input numbers.
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
  func `an operator without its tensor is an error, not a crash`(
    _ number: String, _ index: [UInt8]
  ) throws {
    var bytes = try Self.model()
    let start = try Self.firstInput(bytes)
    bytes.replaceSubrange(start..<start + 4, with: index)
    let error = #expect(throws: MetadataError.self) { try ModelGraphCheck.check(bytes.span) }
    #expect(error?.code == .damagedModel)
    #expect(error?.message.contains("operator 0 uses tensor \(number), but the model has ") == true)
  }

  /// The offset of the vector in the first tensor that satisfies `field`.
  static func firstVector(_ bytes: [UInt8], quantization: Bool) throws -> Int {
    var budget = FlatBudget()
    let root = try ModelFile(bytes.span).root
    let graphs = try root.tables(ModelFile.Field.subgraphs, in: bytes.span, &budget)
    let tensors = try #require(try graphs.first?.tables(FlatField(0, "tensors"), in: bytes.span, &budget))
    for tensor in tensors {
      if quantization {
        guard let table = try tensor.table(FlatField(4, "quantization"), in: bytes.span, &budget),
          let vector = try table.vector(FlatField(3, "zero_point"), stride: 8, in: bytes.span),
          vector.count > 0
        else { continue }
        return vector.start
      }
      guard let vector = try tensor.vector(FlatField(0, "shape"), stride: 4, in: bytes.span), vector.count > 1
      else { continue }
      return vector.start
    }
    return try #require(nil)
  }

  @Test func `a zero point outside its type is an error, not a crash`() throws {
    var bytes = try Self.model()
    let start = try Self.firstVector(bytes, quantization: true)
    bytes.replaceSubrange(start..<start + 8, with: [0, 0, 1, 0, 0, 0, 0, 0])
    let error = #expect(throws: MetadataError.self) { try ModelGraphCheck.check(bytes.span) }
    #expect(error?.message.contains("has the zero point 65536, expected 0…255") == true)
  }

  @Test(arguments: [[0xff, 0xff, 0xff, 0x7f], [0, 0, 0, 0x80]] as [[UInt8]])
  func `an impossible shape is an error, not gigabytes`(_ size: [UInt8]) throws {
    var bytes = try Self.model()
    let start = try Self.firstVector(bytes, quantization: false)
    bytes.replaceSubrange(start..<start + 4, with: size)
    let error = #expect(throws: MetadataError.self) { try ModelGraphCheck.check(bytes.span) }
    #expect(error?.code == .damagedModel)
  }
}
