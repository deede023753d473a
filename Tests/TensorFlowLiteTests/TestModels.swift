// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting
import TensorFlowLite

/// Small models of the repository, which each machine has.
enum TestModels {
  static func path(_ name: String) -> String { PackageRoot.path + "/Tests/Fixtures/models/\(name).tflite" }

  /// Two rows of numbers, x_minuend and a_subtrahend, to their total and rest; signatures "calculate" and "subtract".
  static let arithmetic = path("arithmetic")
  /// uint8 [1, 32, 32, 3] to three shares.
  static let classifier = path("classifier_uint8")
  /// int8 [1, 64, 64, 3] to int8 [1, 7, 84].
  static let int8 = path("yolov8_int8")
  /// float32 images of any number and size.
  static let openSize = path("colors_open_size")
  /// An image and a memory in, five tensors out.
  static let recurrent = path("lstm_ssd")
  /// The number of a row, 0 to 2, to its three numbers; another one fails.
  static let table = path("table")

  static func ready(_ path: String) throws -> Interpreter {
    let interpreter = try Interpreter(modelPath: path)
    try interpreter.allocateTensors()
    return interpreter
  }
}

extension Data {
  init(floats: [Float]) { self = unsafe floats.withUnsafeBytes { unsafe Data($0) } }

  var floats: [Float] {
    var values = [Float](repeating: 0, count: count / MemoryLayout<Float>.stride)
    _ = unsafe values.withUnsafeMutableBytes { unsafe copyBytes(to: $0) }
    return values
  }

  /// Bytes that vary with their position.
  static func pattern(_ count: Int, step: Int = 31) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* step) })
  }
}
