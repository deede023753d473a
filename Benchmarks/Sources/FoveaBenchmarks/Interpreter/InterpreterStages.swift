// SPDX-License-Identifier: Apache-2.0

/// A frame through the TensorFlowLite API and through LiteRT's C functions: the difference is the cost of the API.
enum InterpreterStages {
  /// `model` has one input and one output.
  static func all(model path: String) throws -> [Benchmark] {
    let comparison = try InterpreterComparison(path: path)
    return [
      Benchmark("interpreter frame, coarse") { _ = try comparison.interpreterFrame() },
      Benchmark("the same through LiteRT's C API") { try comparison.directFrame() },
    ]
  }
}
