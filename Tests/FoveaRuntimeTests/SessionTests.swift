// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaRuntime

@Suite struct SessionTests {
  @Test func `the same input gives the same output, and another input another`() throws {
    let session = try Session(model: TestModels.classifier())
    let grey = [UInt8](repeating: 128, count: 160 * 160 * 3)
    try session.write(grey, toInput: 0)
    try session.run()
    let first = try session.read(output: 0, as: Float.self)
    try session.run()
    #expect(try session.read(output: 0, as: Float.self) == first)
    try session.write(grey.indices.map { UInt8(truncatingIfNeeded: $0 &* 7) }, toInput: 0)
    try session.run()
    #expect(try session.read(output: 0, as: Float.self) != first)
    #expect(first.allSatisfy { (0...1).contains($0) })
  }

  @Test func `numbers are read into reused memory`() throws {
    let session = try Session(model: TestModels.classifier())
    try session.run()
    var numbers: [Float] = [1, 2, 3]
    try session.readNumbers(output: 0, into: &numbers)
    #expect(numbers == (try session.read(output: 0, as: Float.self)))
  }

  @Test func `threads do not change the answer`() throws {
    let model = try TestModels.classifier()
    let pixels = (0..<160 * 160 * 3).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let answers = try [1, 2, 4].map { threads in
      let session = try Session(model: model, options: SessionOptions(threads: threads))
      try session.write(pixels, toInput: 0)
      try session.run()
      return try session.read(output: 0, as: Float.self)
    }
    #expect(answers[0] == answers[1])
    #expect(answers[0] == answers[2])
  }

  @Test func `a wrong element type is an error with both types`() throws {
    let session = try Session(model: TestModels.classifier())
    let error = #expect(throws: RuntimeError.self) {
      try session.write([Float](repeating: 0, count: 160 * 160 * 3), toInput: 0)
    }
    #expect(error?.code == .tensorMismatch)
    #expect(
      error?.message
        == "Input 0 of 'coarse.tflite' is 'image' uint8 [1, 160, 160, 3]; float32 values were given or requested"
    )
    #expect(throws: RuntimeError.self) { try session.read(output: 0, as: UInt8.self) }
  }

  @Test(arguments: [0, 1, 76_799, 76_801])
  func `a wrong number of values is an error with the number`(_ count: Int) throws {
    let session = try Session(model: TestModels.classifier())
    let error = #expect(throws: RuntimeError.self) {
      try session.write([UInt8](repeating: 0, count: count), toInput: 0)
    }
    #expect(error?.message.hasSuffix("; \(count) values were given") == true)
  }

  @Test func `an unknown tensor is an error`() throws {
    let session = try Session(model: TestModels.classifier())
    let error = #expect(throws: RuntimeError.self) { try session.read(output: 7, as: Float.self) }
    #expect(error?.message == "Output 7 was requested; 'coarse.tflite' has 1")
  }

  @Test(arguments: [0, -1, 257])
  func `a number of threads out of range is an error`(_ threads: Int) throws {
    let model = try TestModels.classifier()
    let error = #expect(throws: RuntimeError.self) {
      try Session(model: model, options: SessionOptions(threads: threads))
    }
    #expect(error?.code == .optionInvalid)
    #expect(error?.message == "'threads' is \(threads); it must be 1…256")
  }

  @Test func `an unknown signature is an error`() throws {
    let model = try TestModels.classifier()
    #expect(throws: RuntimeError.self) { try Session(model: model, signature: 1) }
  }

  @Test(arguments: [[1, 160, 160], [1, 0, 160, 3], [1, 160, 160, 3, 1], [-1, 160, 160, 3]])
  func `an impossible shape is rejected and the session stays usable`(_ shape: [Int]) throws {
    let session = try Session(model: TestModels.classifier())
    let error = #expect(throws: RuntimeError.self) { try session.resizeInput(0, to: shape) }
    #expect(error?.code == .tensorMismatch)
    #expect(session.inputs[0].shape == [1, 160, 160, 3])
    try session.run()
  }

  @Test func `a shape that the graph cannot use is rejected and the session stays usable`() throws {
    let session = try Session(model: TestModels.classifier())
    // The number of channels is fixed by the weights.
    #expect(throws: RuntimeError.self) { try session.resizeInput(0, to: [1, 160, 160, 4]) }
    #expect(session.inputs[0].shape == [1, 160, 160, 3])
    try session.write([UInt8](repeating: 9, count: 160 * 160 * 3), toInput: 0)
    try session.run()
    #expect(try session.read(output: 0, as: Float.self).count == 5)
  }

  @Test func `a cancelled token stops the run before it starts, and another one lets it continue`() throws {
    let session = try Session(model: TestModels.classifier())
    let token = CancellationToken()
    token.cancel()
    let error = #expect(throws: RuntimeError.self) { try session.run(cancelledBy: token) }
    #expect(error?.code == .cancelled)
    try session.run()
    try session.run(cancelledBy: CancellationToken())
  }

  @Test(.enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"))
  func `an operator that the runtime lacks is an error that names it`() throws {
    let model = try Model(path: SharedData.path("models/invalid/coral_model_invoking_error.tflite"))
    let error = #expect(throws: RuntimeError.self) { try Session(model: model) }
    #expect(error?.code == .modelUnsupported)
    #expect(error?.message.contains("fake-op-double") == true)
  }

  @Test func `an input can be resized if the graph allows it`() throws {
    let session = try Session(model: TestModels.classifier())
    try session.resizeInput(0, to: [1, 192, 128, 3])
    #expect(session.inputs[0].shape == [1, 192, 128, 3])
    #expect(session.outputs[0].shape == [1, 5])
    try session.write([UInt8](repeating: 50, count: 192 * 128 * 3), toInput: 0)
    try session.run()
    #expect(try session.read(output: 0, as: Float.self).allSatisfy { (0...1).contains($0) })
    try session.resizeInput(0, to: [1, 160, 160, 3])
    try session.write([UInt8](repeating: 50, count: 160 * 160 * 3), toInput: 0)
    try session.run()
  }

  @Test(.enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"))
  func `an output whose size is only known after the run has memory for it`() throws {
    let model = try Model(path: SharedData.path("models/invalid/tfls_dilated_conv.tflite"))
    let session = try Session(model: model)
    try session.resizeInput(0, to: [1, 32, 48, 3])
    try session.write([Float](repeating: 0, count: 32 * 48 * 3), toInput: 0)
    try session.run()
    #expect(session.outputs[0].shape == [1, 32, 48, 16])
    #expect(try session.read(output: 0, as: Float.self).count == 32 * 48 * 16)
  }

  @Test func `memory of an output is zeroed, has room, and is absent if there cannot be as much`() throws {
    var memory = try #require(OutputMemory(byteCount: 5, required: 64))
    #expect(memory.capacity >= 64 + 64 << 20)
    #expect(unsafe memory.bytes.count == 5)
    #expect(unsafe memory.bytes.allSatisfy { $0 == 0 })
    memory.byteCount = .max
    #expect(unsafe memory.bytes.count == memory.capacity)
    let empty = try #require(OutputMemory(byteCount: 0, required: 0))
    #expect(unsafe empty.bytes.isEmpty)
    #expect(OutputMemory(byteCount: .max, required: 0) == nil)
    #expect(OutputMemory(byteCount: 0, required: .max - 5) == nil)
  }
}
