// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaMetadata

/// Reading any bytes gives a value or an error; a trap would end the whole test run.
@Suite struct CorruptionTests {
  /// Reads everything readable; returns the number of parts that threw.
  static func readAll(_ bytes: [UInt8]) -> Int {
    var errors = 0
    func attempt(_ body: () throws -> Void) { do { try body() } catch { errors += 1 } }
    attempt { _ = try ModelGraphSummary.read(bytes) }
    attempt {
      guard let metadata = try ModelMetadata.read(bytes) else { return }
      for output in metadata.outputs {
        attempt { _ = try LabelMap.read(for: output, locale: "en", model: bytes) }
        attempt { _ = try ScoreCalibration.read(for: output, classCount: 4, model: bytes.span) }
      }
    }
    attempt {
      guard let archive = try ModelArchive.read(bytes) else { return }
      for entry in archive.entries { attempt { _ = try archive.contents(of: entry.name, in: bytes) } }
    }
    attempt { _ = try MetadataWriter.write(ModelMetadata(), to: bytes) }
    return errors
  }

  @Test func `an undamaged model has no errors`() throws {
    #expect(Self.readAll(try SyntheticModel.rich()) == 0)
  }

  @Test(arguments: [0x00, 0x01, 0x80, 0xFF] as [UInt8])
  func `any single byte may be damaged`(_ value: UInt8) throws {
    let model = try SyntheticModel.rich()
    var errors = 0
    for index in model.indices where model[index] != value {
      var damaged = model
      damaged[index] = value
      errors += Self.readAll(damaged)
    }
    #expect(errors > 0)
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `many bytes may be damaged at once`(_ seed: UInt64) throws {
    let model = try SyntheticModel.rich()
    var generator = SeededGenerator(seed: seed)
    var errors = 0
    for _ in 0..<400 {
      var damaged = model
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let index = Int.random(in: 0..<damaged.count, using: &generator)
        damaged[index] = UInt8.random(in: 0...255, using: &generator)
      }
      errors += Self.readAll(damaged)
    }
    #expect(errors > 0)
  }

  @Test func `the file may end anywhere`() throws {
    let model = try SyntheticModel.rich()
    for length in 0..<model.count { _ = Self.readAll(Array(model[..<length])) }
    for length in 0..<200 { #expect(Self.readAll(Array(model[..<length])) > 0) }
  }

  @Test func `the beginning may be missing`() throws {
    let model = try SyntheticModel.rich()
    for start in stride(from: 1, to: model.count, by: 7) { #expect(Self.readAll(Array(model[start...])) > 0) }
  }

  @Test func `a small file that describes an endless tree is an error`() throws {
    // Every element of both vectors is the same table, so the tree has 300 * 300 * 300 leaves.
    let model = HostileModel.fanOut(width: 300)
    let error = failure { () throws(MetadataError) in try ModelMetadata.read(model) }
    #expect(
      error?.message
        == "The model's metadata is broken: input 62: the model describes more than 200000 tables, far more than real models"
    )
  }
}

/// A model whose metadata shares one subtree many times.
enum HostileModel {
  static func fanOut(width: Int) -> [UInt8] {
    // Metadata by hand: root -> subgraphs[width] -> inputs[width] -> files[width], each element the same
    // table.
    var bytes: [UInt8] = [0, 0, 0, 0] + Array("M001".utf8)
    func patch(_ slot: Int, to position: Int) {
      let value = UInt32(position - slot)
      for index in 0..<4 { bytes[slot + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt32(index))) }
    }
    func table(field: Int, offsetsAt slots: [Int]) -> Int {
      let start = bytes.count
      bytes.append(littleEndian: UInt16(4 + 2 * (field + 1)))
      bytes.append(littleEndian: UInt16(8))
      for index in 0...field { bytes.append(littleEndian: UInt16(index == field ? 4 : 0)) }
      let position = bytes.count
      bytes.append(littleEndian: Int32(position - start))
      bytes.append(littleEndian: UInt32(0))
      for slot in slots { patch(slot, to: position) }
      return position + 4
    }
    func vector(offsetAt slot: Int) -> [Int] {
      patch(slot, to: bytes.count)
      bytes.append(littleEndian: UInt32(width))
      let first = bytes.count
      bytes += [UInt8](repeating: 0, count: 4 * width)
      return (0..<width).map { first + 4 * $0 }
    }
    let subgraphs = vector(offsetAt: table(field: 3, offsetsAt: [0]))
    let inputs = vector(offsetAt: table(field: 2, offsetsAt: subgraphs))
    let files = vector(offsetAt: table(field: 6, offsetsAt: inputs))
    _ = table(field: 2, offsetsAt: files)

    var model = TestModel(buffers: [bytes])
    model.graphs = []
    model.metadata = [("TFLITE_METADATA", 0)]
    return model.bytes()
  }
}
