// SPDX-License-Identifier: Apache-2.0

import AppleShims
public import Dispatch
public import Foundation

// SAFETY: only `attached` changes, under `lock`.
/// What a session gives frames to.
public class AVCaptureOutput: NSObject, @unchecked Sendable {
  private let lock = NSLock()
  private weak var attached: AVCaptureConnection?

  fileprivate override init() {}

  /// The connection to the session that the output was added to.
  /// - Parameter mediaType: `video`; there are no others.
  /// - Returns: nil where the output was not added.
  public func connection(with mediaType: AVMediaType) -> AVCaptureConnection? {
    mediaType == .video ? lock.withLock { attached } : nil
  }

  func attach(_ connection: AVCaptureConnection?) { lock.withLock { attached = connection } }
}

// SAFETY: what changes is read and written under `lock`.
/// Gives each frame to a delegate, on a queue.
public final class AVCaptureVideoDataOutput: AVCaptureOutput, @unchecked Sendable {
  private let lock = NSLock()
  private var discardsLate = true
  private var settings: [String: Any]?
  private weak var delegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?
  private var queue = DispatchQueue(label: "capture output")

  /// Makes an output without a delegate.
  public override init() { super.init() }

  /// Whether a frame that comes while the delegate is busy with another is dropped; true by default.
  ///
  /// `captureOutput(_:didDrop:from:)` of the delegate reports it. When false frames wait, four at most, and then their
  /// source waits: a file loses none, a camera falls behind.
  public var alwaysDiscardsLateVideoFrames: Bool {
    get { lock.withLock { discardsLate } }
    set { lock.withLock { discardsLate = newValue } }
  }

  /// In which pixel format frames come: `kCVPixelBufferPixelFormatTypeKey` with one of `availableVideoPixelFormatTypes`.
  ///
  /// nil, the default, leaves frames as their source has them, without a copy. A format that is not available ends the
  /// session with an error at the first frame. Other keys are without an effect.
  public var videoSettings: [String: Any]? {
    get { lock.withLock { settings } }
    set { lock.withLock { settings = newValue } }
  }

  /// The formats that frames can be had in: "420v", "420f", "BGRA".
  public var availableVideoPixelFormatTypes: [OSType] { FrameConversion.formats }

  /// Sets who takes the frames.
  /// - Parameters:
  ///   - sampleBufferDelegate: Takes the frames; not kept alive. nil takes none.
  ///   - sampleBufferCallbackQueue: Where it is called; one frame at a time, so that it must be serial. nil takes a queue
  ///     of the output's own. The main queue is served while the program runs `RunLoop.main.run()` or `dispatchMain()`.
  public func setSampleBufferDelegate(
    _ sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?,
    queue sampleBufferCallbackQueue: DispatchQueue?
  ) {
    lock.withLock {
      delegate = sampleBufferDelegate
      if let sampleBufferCallbackQueue { queue = sampleBufferCallbackQueue }
    }
  }

  /// Who takes the frames.
  public var sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)? {
    lock.withLock { delegate }
  }

  /// Where the delegate is called.
  public var sampleBufferCallbackQueue: DispatchQueue? { lock.withLock { queue } }
}

/// Takes the frames of an `AVCaptureVideoDataOutput`.
public protocol AVCaptureVideoDataOutputSampleBufferDelegate: NSObjectProtocol {
  /// Takes a frame; the next one comes when this has returned.
  /// - Parameters:
  ///   - output: The output.
  ///   - sampleBuffer: The frame with its time. Its pixels stay valid for as long as it is kept.
  ///   - connection: Where it came from.
  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection)

  /// Called for a frame that was dropped because the delegate was busy; does nothing by default.
  /// - Parameters:
  ///   - output: The output.
  ///   - sampleBuffer: The time of the frame, without pixels.
  ///   - connection: Where it came from.
  func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection)
}

extension AVCaptureVideoDataOutputSampleBufferDelegate {
  /// Does nothing.
  public func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {}

  /// Does nothing.
  public func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {}
}
