// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// C strings, lists of them and bytes that live as long as their owner.
@safe
final class CStrings {
  // SAFETY: each was made by `strdup` or `malloc` and is freed once, in deinit.
  private var texts: [UnsafeMutablePointer<CChar>] = unsafe []
  private var blocks: [UnsafeMutableRawPointer] = unsafe []

  /// Returns a copy that C may read until the owner is released.
  func make(_ text: String) -> UnsafePointer<CChar> {
    guard let copy = unsafe strdup(text) else { preconditionFailure("out of memory for a line of text") }
    unsafe texts.append(copy)
    return unsafe UnsafePointer(copy)
  }

  /// Returns an array of pointers to copies of the strings; a null pointer if there are none.
  func makeList(_ list: [String]) -> (start: UnsafePointer<UnsafePointer<CChar>>?, count: Int) {
    guard !list.isEmpty else { return (nil, 0) }
    let block = unsafe makeBlock(list.count * MemoryLayout<UnsafePointer<CChar>>.stride)
    let start = unsafe block.bindMemory(to: UnsafePointer<CChar>.self, capacity: list.count)
    for (index, text) in list.enumerated() { unsafe (start + index).initialize(to: make(text)) }
    return unsafe (UnsafePointer(start), list.count)
  }

  /// Returns a copy of bytes; the pointer is never null.
  func makeBytes(_ bytes: [UInt8]) -> (start: UnsafeRawPointer, count: Int) {
    let block = unsafe makeBlock(max(bytes.count, 1))
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe UnsafeMutableRawBufferPointer(start: block, count: bytes.count).copyMemory(from: bytes)
    }
    return (UnsafeRawPointer(block), bytes.count)
  }

  private func makeBlock(_ count: Int) -> UnsafeMutableRawPointer {
    guard let block = unsafe malloc(count) else { preconditionFailure("out of memory for a request") }
    unsafe blocks.append(block)
    return unsafe block
  }

  deinit {
    for index in unsafe texts.indices { unsafe free(texts[index]) }
    for index in unsafe blocks.indices { unsafe free(blocks[index]) }
  }
}
