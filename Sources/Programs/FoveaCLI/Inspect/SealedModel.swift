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

/// Limits that the process sets for itself; it cannot lift them again.
enum ProcessLimits {
  /// The most address space, in bytes; what asks for more fails or ends the process.
  static func limitMemory(_ bytes: Int) { set(RLIMIT_AS, bytes) }

  /// The most processor time, in seconds; the system ends the process after it.
  static func limitProcessorTime(_ seconds: Int) { set(RLIMIT_CPU, seconds) }

  #if canImport(Glibc)
  private static func set(_ resource: __rlimit_resource, _ value: Int) {
    var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
    // Refused only where the limit is lower already.
    _ = unsafe setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
  }
  #else
  private static func set(_ resource: Int32, _ value: Int) {
    var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
    _ = unsafe setrlimit(resource, &limit)
  }
  #endif
}
