// SPDX-License-Identifier: Apache-2.0

import CVideo
import FoveaCore

/// Cancels a reader's waits from any thread.
@safe final class VideoCancellation: @unchecked Sendable {
  // SAFETY: the C object is created in init and freed in deinit; its functions may be called from any thread.
  let pointer: OpaquePointer

  init(name: String) throws(VideoError) {
    guard let pointer = unsafe fovea_video_interrupt_make() else {
      throw .from(FOVEA_VIDEO_NO_MEMORY, "no memory to open the video", name)
    }
    unsafe self.pointer = unsafe pointer
  }

  deinit { unsafe fovea_video_interrupt_free(pointer) }

  /// Cancels all current and later waits.
  func cancel() { unsafe fovea_video_interrupt_cancel(pointer) }

  /// Waits for a duration.
  /// - Returns: True if the time passed; false if it was cancelled.
  func wait(_ duration: Duration) -> Bool {
    unsafe fovea_video_interrupt_wait(pointer, duration.microseconds)
  }
}
