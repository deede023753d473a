// SPDX-License-Identifier: Apache-2.0

import CFovea

/// What a `fovea_result` points to: columns in memory of its own.
@safe final class ResultObject {
  // SAFETY: allocated by `ResultColumns`, freed in deinit, written by no one in between.
  private let memory: [UnsafeMutableRawPointer]
  private let texts: [CText]
  private let columns: fovea_columns
  private let errors: [OpaquePointer?]

  init(_ content: consuming ResultColumns) {
    unsafe memory = unsafe content.memory
    texts = content.texts
    unsafe columns = unsafe content.columns
    unsafe errors = content.errors.map { unsafe $0.map { unsafe Handle.make(ErrorObject($0)) } }
  }

  deinit {
    unsafe memory.forEach { unsafe $0.deallocate() }
    unsafe errors.forEach { unsafe Handle.release(ErrorObject.self, $0) }
  }

  /// Writes the columns into a caller's struct, as far as that goes, and what was written into its first field.
  func write(into out: UnsafeMutablePointer<fovea_columns>) {
    let start = UnsafeMutableRawPointer(out)
    let size = unsafe min(Int(unsafe start.loadUnaligned(as: UInt32.self)), MemoryLayout<fovea_columns>.size)
    guard size >= MemoryLayout<UInt32>.size else { return }
    var columns = unsafe columns
    unsafe columns.size = UInt32(size)
    unsafe start.copyMemory(from: &columns, byteCount: size)
  }

  /// Why an image failed; nil where it did not, and beyond the last one.
  func error(_ image: Int) -> OpaquePointer? { unsafe errors.indices.contains(image) ? errors[image] : nil }
}
