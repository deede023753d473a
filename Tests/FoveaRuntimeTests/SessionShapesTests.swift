// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaRuntime

@Suite struct SessionShapesTests {
  /// Two rows of two numbers; both have as many columns as the caller likes.
  private func model() throws -> Model {
    try Model(path: PackageRoot.path + "/Tests/Fixtures/models/arithmetic.tflite")
  }

  private func unallocated() throws -> Session {
    let model = try model()
    return try Session(compiling: model, options: SessionOptions(), signature: model.mainSignature())
  }

  @Test func `the main graph's signature is found behind another one`() throws {
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

  @Test func `shapes that depend on each other change in one step`() throws {
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
  func `shapes that cannot be are refused, and the session stays what it was`(_ shapes: [[Int]]) throws {
    for session in [try unallocated(), try Session(model: try model(), signature: 1)] {
      let error = #expect(throws: RuntimeError.self) { try session.allocate(inputShapes: shapes) }
      #expect(error?.code == .tensorMismatch)
      #expect(session.inputs.map(\.shape) == [[1, 2], [1, 2]])
      try session.allocate(inputShapes: [[1, 2], [1, 2]])
      try session.run()
    }
  }
}
