// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaRuntime

@Suite struct SessionShapesTests {
  /// Two rows of two numbers; both have any number of columns.
  private func model() throws -> Model {
    try Model(path: PackageRoot.path + "/Tests/Fixtures/models/arithmetic.tflite")
  }

  private func unallocated() throws -> Session {
    let model = try model()
    return try Session(compiling: model, options: SessionOptions(), signature: model.mainSignature())
  }

  @Test func `the main graph's signature is found after another one`() throws {
    let model = try model()
    #expect(model.signatures.map(\.key) == ["multiply", "calculate"])
    #expect(try model.mainSignature() == 1)
    #expect(try TestModels.classifier().mainSignature() == 0)
  }

  @Test func `a signature that lists its tensors by name has them in the graph's order`() throws {
    let signature = try model().signatures[1]
    #expect(signature.inputs.map(\.name) == ["minuend", "subtrahend"])
    #expect(signature.inputs.map(\.signatureName) == ["from", "by"])
    #expect(signature.outputs.map(\.signatureName) == ["total", "difference"])
  }

  @Test func `a session that is only compiled knows its shapes and does not run`() throws {
    let session = try unallocated()
    #expect(session.inputs.map(\.shape) == [[1, 2], [1, 2]])
    let error = #expect(throws: RuntimeError.self) { try session.run() }
    #expect(error?.code == .runFailed)
    #expect(error?.message.contains("have no memory") == true)
    try session.allocate(inputShapes: [[1, 2], [1, 2]])
    try session.run()
  }

  /// Before a run such an output has one row, and LiteRT writes all rows: there must be memory for them.
  @Test func `an output that grows with the detections has the shape of each run`() throws {
    let session = try Session(
      model: try Model(path: PackageRoot.path + "/Tests/Fixtures/models/yolox_nms_open.tflite"))
    #expect(session.outputs.map(\.shape) == [[1, 7]])
    func image(_ blocks: Int) -> [Float] {
      var pixels = [Float](repeating: 114, count: 64 * 64 * 3)
      for block in 0..<blocks {
        for y in 8..<40 {
          for x in 0..<16 {
            let start = (y * 64 + block * 20 + x) * 3
            for channel in 0..<3 { pixels[start + channel] = channel == block ? 255 : 0 }
          }
        }
      }
      return pixels
    }
    var numbers: [Float] = []
    for blocks in [2, 0, 3, 1, 3, 0] {
      try session.write(image(blocks), toInput: 0)
      try session.run()
      #expect(session.outputs.map(\.shape) == [[blocks, 7]])
      try session.readNumbers(output: 0, into: &numbers)
      #expect(numbers.count == blocks * 7)
      #expect(try session.read(output: 0, as: Float.self) == numbers)
      // Batch, class, score: blocks of blue, green, red in this order of the channels.
      #expect(stride(from: 1, to: numbers.count, by: 7).map { numbers[$0] } == [0, 1, 2].suffix(blocks))
    }
  }

  @Test func `interdependent shapes change in one step`() throws {
    let session = try Session(model: try model(), signature: 1)
    #expect(throws: RuntimeError.self) { try session.resizeInput(0, to: [1, 3]) }
    #expect(session.inputs.map(\.shape) == [[1, 2], [1, 2]])
    try session.allocate(inputShapes: [[1, 3], [1, 3]])
    try session.write([1, 2, 3] as [Float], toInput: 0)
    try session.write([3, 2, 1] as [Float], toInput: 1)
    try session.run()
    #expect(try session.read(output: 0, as: Float.self) == [4, 4, 4])
  }

  @Test(arguments: [[[1, 3], [1, 4]], [[1], [1, 2]], [[1, 2], [1, 0]], [[1, 2], [-1, 2]]])
  func `impossible shapes are rejected, and the session stays unchanged`(_ shapes: [[Int]]) throws {
    for session in [try unallocated(), try Session(model: try model(), signature: 1)] {
      let error = #expect(throws: RuntimeError.self) { try session.allocate(inputShapes: shapes) }
      #expect(error?.code == .tensorMismatch)
      #expect(session.inputs.map(\.shape) == [[1, 2], [1, 2]])
      try session.allocate(inputShapes: [[1, 2], [1, 2]])
      try session.run()
    }
  }
}
