// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaModelRules
import FoveaRuntime

/// A test run of a model on a grey image, which checks the values and measures time and memory.
enum ModelTestRun {
  /// Compiles a model, runs it once, and decodes its outputs as its task does.
  /// - Returns: Time and memory; nil for a text model, whose input has no size until there is text.
  /// - Throws: `model-unsupported`, `run-failed`; the error of `ModelTrial.check(_:)` for values that the
  ///   model's task refuses.
  static func run(_ model: ModelInspection) throws(FoveaError) -> ModelReport.Run? {
    guard !(model.inputs + model.outputs).contains(where: { $0.elementType == .string }) else { return nil }
    let session = try model.session()
    if let trial = model.trial {
      try trial.fill(session)
    } else {
      for index in session.inputs.indices { fill(index, of: session) }
    }
    let start = ContinuousClock.now
    do throws(RuntimeError) { try session.run() } catch { throw FoveaError(error) }
    let time = ContinuousClock.now - start
    try model.trial?.check(session)
    return ModelReport.Run(
      milliseconds: time.milliseconds, peakMemory: ProcessUsage.peakMemory.map { Int($0 * 1_048_576) })
  }

  /// Fills an input with the middle of its range; types that images do not have stay zero.
  private static func fill(_ index: Int, of session: Session) {
    let type = session.inputs[index].elementType
    // SAFETY: only whole elements within the buffer are written.
    unsafe session.withUnsafeInputBytes(index) { bytes in
      switch type {
      case .uint8: for byte in bytes.indices { unsafe bytes[byte] = 128 }
      case .float32:
        for offset in stride(from: 0, to: bytes.count - 3, by: 4) {
          unsafe bytes.storeBytes(of: Float(0.5), toByteOffset: offset, as: Float.self)
        }
      default: break
      }
    }
  }
}
