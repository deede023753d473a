// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaRuntime

/// A stranger's model, which may have been made to take over who reads or runs it.
enum SealedModel {
  /// Opens a model and closes this process off before a byte of it is read.
  ///
  /// LiteRT reads files and facts about the processor at its first run; that run is of an embedded model.
  /// - Parameter path: A `.tflite` file.
  /// - Returns: The model, in memory.
  /// - Throws: `model-unreadable`, `runtime-missing`.
  static func source(_ path: String) throws(FoveaError) -> ModelSource {
    let bytes: ModelBytes
    do throws(RuntimeError) { bytes = try ModelBytes(path: path) } catch { throw FoveaError(error) }
    _ = try ModelTrial.run(ModelInspection(of: .embedded(.classifier)))
    if !ProcessSeal.close() {
      _ = Descriptor.write(Array("\(ParentProcess.openNote)\n".utf8), to: STDERR_FILENO)
    }
    return .memory(bytes)
  }
}
