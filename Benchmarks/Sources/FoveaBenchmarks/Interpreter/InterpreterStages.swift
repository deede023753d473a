// SPDX-License-Identifier: Apache-2.0

/// A frame through TensorFlowLite's names, and through LiteRT's C functions: the difference is what the names cost.
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
