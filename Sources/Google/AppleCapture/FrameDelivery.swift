// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Foundation
import FoveaImage

/// Gives frames to the delegate of one output, one after the other, and drops or holds back those that come too fast.
final class FrameDelivery: @unchecked Sendable {
  // SAFETY: what changes is read and written under `condition`.

  /// The most frames that wait where none may be dropped.
  static let waitingLimit = 4

  let output: AVCaptureVideoDataOutput
  let connection: AVCaptureConnection
  private let condition = NSCondition()
  /// Counts the starts of the session: what was handed on before the last one is left out.
  private var generation = 0
  private var isOpen = false
  /// Frames that were handed on and whose delegate has not returned.
  private var waiting = 0
  /// Calls that report dropped frames now.
  private var reporting = 0
  private var dropped: [CMTime] = []

  init(_ output: AVCaptureVideoDataOutput) {
    self.output = output
    connection = AVCaptureConnection(output)
  }

  /// Lets frames through from here on.
  func open() {
    condition.withLock {
      isOpen = true
      generation += 1
      (waiting, reporting, dropped) = (0, 0, [])
    }
  }

  /// Lets no more frames through and wakes all that wait; a call of the delegate that began may still run.
  func close() {
    condition.withLock {
      isOpen = false
      generation += 1
      condition.broadcast()
    }
  }

  /// Hands a frame on; waits where frames may not be dropped and four of them wait already.
  /// - Throws: `ImageError` where the frame cannot be had in the format that was asked for.
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

  /// Waits until the delegate has returned from all frames, or nothing goes through any more.
  func waitUntilIdle() {
    condition.withLock {
      while isOpen, waiting > 0 || reporting > 0 { condition.wait() }
    }
  }

  /// - Returns: The generation that the frame belongs to; nil where it is dropped.
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

  /// Lets the next frame through, and reports those that were dropped meanwhile.
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
