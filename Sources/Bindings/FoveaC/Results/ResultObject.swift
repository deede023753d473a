// SPDX-License-Identifier: Apache-2.0

import CFovea

/// The object behind a `fovea_result`, which owns the memory of its columns.
@safe final class ResultObject {
  // SAFETY: allocated by `ResultColumns`, freed in deinit, never changed in between.
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

  /// Writes the columns into a caller's struct as far as its `size` allows, and sets `size` to the number of
  /// bytes written.
  func write(into out: UnsafeMutablePointer<fovea_columns>) {
    let start = UnsafeMutableRawPointer(out)
    let size = unsafe min(Int(unsafe start.loadUnaligned(as: UInt32.self)), MemoryLayout<fovea_columns>.size)
    guard size >= MemoryLayout<UInt32>.size else { return }
    var columns = unsafe columns
    unsafe columns.size = UInt32(size)
    unsafe start.copyMemory(from: &columns, byteCount: size)
  }

  /// Returns the error of an image; nil if it did not fail, or the index is out of range.
  func error(_ image: Int) -> OpaquePointer? { unsafe errors.indices.contains(image) ? errors[image] : nil }
}
