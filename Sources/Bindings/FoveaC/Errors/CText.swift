// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// A NUL-terminated text in C memory, valid as long as this object.
@safe final class CText: Sendable {
  // SAFETY: allocated and filled in init, freed in deinit, never changed in between.
  nonisolated(unsafe) let pointer: UnsafePointer<CChar>

  static let empty = CText("")

  init(_ text: String) {
    var text = text
    unsafe pointer = text.withUTF8 { bytes in
      let memory = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
      for index in bytes.indices { unsafe memory[index] = CChar(bitPattern: bytes[index]) }
      unsafe memory[bytes.count] = 0
      return unsafe UnsafePointer(memory)
    }
  }

  deinit { unsafe pointer.deallocate() }

  /// Returns a copy of a text that the caller frees with `fovea_string_free`.
  static func copy(_ text: String) throws(FoveaError) -> UnsafeMutablePointer<CChar> {
    guard let copy = unsafe strdup(text) else { throw noMemory(text.utf8.count) }
    return unsafe copy
  }

  /// The error of an allocation that failed.
  static func noMemory(_ count: Int) -> FoveaError {
    FoveaError(.unexpected, "There is no memory for \(count) bytes", remedy: "Free some memory")
  }
}
