// SPDX-License-Identifier: Apache-2.0

import FoveaSystem

/// C strings that live as long as their owner.
@safe
final class CStrings {
  // SAFETY: each was made by `strdup` and is freed once, in deinit.
  private var texts: [UnsafeMutablePointer<CChar>] = unsafe []

  /// A copy that C may read until the owner goes.
  func make(_ text: String) -> UnsafePointer<CChar> {
    guard let copy = unsafe strdup(text) else { preconditionFailure("out of memory for a line of text") }
    unsafe texts.append(copy)
    return unsafe UnsafePointer(copy)
  }

  deinit {
    for index in unsafe texts.indices { unsafe free(texts[index]) }
  }
}
