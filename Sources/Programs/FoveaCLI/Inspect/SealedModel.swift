// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaRuntime

/// An untrusted model, which may try to exploit the process that reads or runs it.
enum SealedModel {
  /// Opens a model and sandboxes this process before it reads any byte of the file.
  ///
  /// LiteRT reads files and processor information on its first run, so an embedded model runs first.
  /// - Parameter path: A `.tflite` file.
  /// - Returns: The model, in memory.
  /// - Throws: `model-unreadable`, `runtime-missing`.
  static func source(_ path: String) throws(FoveaError) -> ModelSource {
    let bytes: ModelBytes
    do throws(RuntimeError) { bytes = try ModelBytes(path: path) } catch { throw FoveaError(error) }
    _ = try ModelTestRun.run(ModelInspection(of: .embedded(.classifier)))
    if !ProcessSeal.close() {
      _ = Descriptor.write(Array("\(ParentProcess.openNote)\n".utf8), to: STDERR_FILENO)
    }
    return .memory(bytes)
  }
}

/// Limits that the process sets for itself and cannot raise again.
enum ProcessLimits {
  /// Limits the address space, in bytes; allocations beyond it fail or end the process.
  static func limitMemory(_ bytes: Int) { set(RLIMIT_AS, bytes, last: bytes) }

  /// Limits the processor time, in seconds; the system then ends the process with `SIGXCPU`, and a second
  /// later with `SIGKILL`.
  ///
  /// With the same time for both it would send only `SIGKILL`, whose cause neither a shell nor the host
  /// knows.
  static func limitProcessorTime(_ seconds: Int) {
    set(RLIMIT_CPU, seconds, last: max(seconds, seconds &+ 1))
  }

  #if canImport(Glibc)
  private static func set(_ resource: __rlimit_resource, _ value: Int, last: Int) {
    var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(last))
    // Refused only if the limit is already lower.
    _ = unsafe setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
  }
  #else
  private static func set(_ resource: Int32, _ value: Int, last: Int) {
    var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(last))
    _ = unsafe setrlimit(resource, &limit)
  }
  #endif
}
