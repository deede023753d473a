// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Foundation
import FoveaImage

/// Delivers frames to the delegate of one output one at a time, and drops or delays those that arrive too
/// fast.
final class FrameDelivery: @unchecked Sendable {
  // SAFETY: all mutable state is accessed under `condition`.

  /// The largest number of waiting frames if none may be dropped.
  static let waitingLimit = 4

  let output: AVCaptureVideoDataOutput
  let connection: AVCaptureConnection
  private let condition = NSCondition()
  /// The number of starts and stops of the session: frames admitted before the last one are skipped.
  private var generation = 0
  private var isOpen = false
  /// The number of frames that were submitted and whose delegate call has not returned.
  private var waiting = 0
  /// The number of calls that are reporting dropped frames.
  private var reporting = 0
  private var dropped: [CMTime] = []

  init(_ output: AVCaptureVideoDataOutput) {
    self.output = output
    connection = AVCaptureConnection(output)
  }

  /// Starts accepting frames.
  func open() {
    condition.withLock {
      isOpen = true
      generation += 1
      (waiting, reporting, dropped) = (0, 0, [])
    }
  }

  /// Stops accepting frames and wakes all waiting calls; a delegate call in progress may still be running.
  func close() {
    condition.withLock {
      isOpen = false
      generation += 1
      condition.broadcast()
    }
  }

  /// Submits a frame; waits if frames may not be dropped and four are already waiting.
  /// - Throws: `ImageError` if the frame cannot be converted to the requested format.
  func give(_ frame: VideoFrame) throws(ImageError) {
    guard connection.isEnabled, output.sampleBufferDelegate != nil else { return }
    guard let admission = admit(frame.time, discardsLate: output.alwaysDiscardsLateVideoFrames) else {
      return
    }
    let buffer: CVPixelBuffer
    do throws(ImageError) { buffer = try FrameConversion(output.videoSettings).buffer(of: frame) } catch {
      finish(admission)
      throw error
    }
    let sample = CMSampleBuffer(imageBuffer: buffer, presentationTimeStamp: frame.time)
    (output.sampleBufferCallbackQueue ?? .global()).async { [self] in deliver(sample, admission) }
  }

  /// Waits until the delegate has returned from all frames, or the delivery is closed.
  func waitUntilIdle() {
    condition.withLock {
      while isOpen, waiting > 0 || reporting > 0 { condition.wait() }
    }
  }

  /// - Returns: The generation of the frame; nil if it is dropped.
  private func admit(_ time: CMTime, discardsLate: Bool) -> Int? {
    condition.withLock {
      if discardsLate, isOpen, waiting > 0 {
        dropped.append(time)
        return nil
      }
      while isOpen, waiting >= Self.waitingLimit { condition.wait() }
      guard isOpen else { return nil }
      waiting += 1
      return generation
    }
  }

  private func deliver(_ sample: CMSampleBuffer, _ admission: Int) {
    guard condition.withLock({ admission == generation }) else { return }
    output.sampleBufferDelegate?.captureOutput(output, didOutput: sample, from: connection)
    finish(admission)
  }

  /// Admits the next frame, and reports the frames that were dropped meanwhile.
  private func finish(_ admission: Int) {
    let late: [CMTime]? = condition.withLock {
      guard admission == generation else { return nil }
      waiting -= 1
      condition.broadcast()
      guard !dropped.isEmpty else { return nil }
      reporting += 1
      defer { dropped = [] }
      return dropped
    }
    guard let late else { return }
    for time in late {
      guard condition.withLock({ admission == generation }) else { return }
      let sample = CMSampleBuffer(imageBuffer: nil, presentationTimeStamp: time)
      output.sampleBufferDelegate?.captureOutput(output, didDrop: sample, from: connection)
    }
    condition.withLock {
      guard admission == generation else { return }
      reporting -= 1
      condition.broadcast()
    }
  }
}
