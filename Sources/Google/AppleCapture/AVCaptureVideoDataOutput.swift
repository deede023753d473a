// SPDX-License-Identifier: Apache-2.0

import AppleShims
public import Dispatch
public import Foundation

// SAFETY: only `attached` changes, under `lock`.
/// An output of a session.
public class AVCaptureOutput: NSObject, @unchecked Sendable {
  private let lock = NSLock()
  private weak var attached: AVCaptureConnection?

  fileprivate override init() {}

  /// Returns the connection to the session to which the output was added.
  /// - Parameter mediaType: `video`; there are no connections for other media.
  /// - Returns: nil if the output was not added.
  public func connection(with mediaType: AVMediaType) -> AVCaptureConnection? {
    mediaType == .video ? lock.withLock { attached } : nil
  }

  func attach(_ connection: AVCaptureConnection?) { lock.withLock { attached = connection } }
}

// SAFETY: all mutable state is accessed under `lock`.
/// Passes each frame to a delegate on a queue.
public final class AVCaptureVideoDataOutput: AVCaptureOutput, @unchecked Sendable {
  private let lock = NSLock()
  private var discardsLate = true
  private var settings: [String: Any]?
  private weak var delegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?
  private var queue = DispatchQueue(label: "capture output")

  /// Creates an output without a delegate.
  public override init() { super.init() }

  /// Whether a frame that arrives while the delegate is busy is dropped; true by default.
  ///
  /// `captureOutput(_:didDrop:from:)` of the delegate reports it. If false, up to four frames wait, and then
  /// the source waits: a file loses no frames, a camera falls behind.
  public var alwaysDiscardsLateVideoFrames: Bool {
    get { lock.withLock { discardsLate } }
    set { lock.withLock { discardsLate = newValue } }
  }

  /// The pixel format of frames: `kCVPixelBufferPixelFormatTypeKey` with one of
  /// `availableVideoPixelFormatTypes`.
  ///
  /// nil, the default, keeps the source's format, without a copy. An unavailable format stops the session
  /// with an error at the first frame. Other keys have no effect.
  public var videoSettings: [String: Any]? {
    get { lock.withLock { settings } }
    set { lock.withLock { settings = newValue } }
  }

  /// The available formats of frames: "420v", "420f", "BGRA".
  public var availableVideoPixelFormatTypes: [OSType] { FrameConversion.formats }

  /// Sets the delegate that receives the frames.
  /// - Parameters:
  ///   - sampleBufferDelegate: The delegate, held weakly; nil removes it.
  ///   - sampleBufferCallbackQueue: The queue on which it is called, one frame at a time; it must be serial.
  ///     nil keeps the current queue, which is initially the output's own. The main queue runs only with
  ///     `RunLoop.main.run()` or `dispatchMain()`.
  public func setSampleBufferDelegate(
    _ sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?,
    queue sampleBufferCallbackQueue: DispatchQueue?
  ) {
    lock.withLock {
      delegate = sampleBufferDelegate
      if let sampleBufferCallbackQueue { queue = sampleBufferCallbackQueue }
    }
  }

  /// The delegate that receives the frames.
  public var sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)? {
    lock.withLock { delegate }
  }

  /// The queue on which the delegate is called.
  public var sampleBufferCallbackQueue: DispatchQueue? { lock.withLock { queue } }
}

/// A delegate that receives the frames of an `AVCaptureVideoDataOutput`.
public protocol AVCaptureVideoDataOutputSampleBufferDelegate: NSObjectProtocol {
  /// Receives a frame; the next one is delivered after this returns.
  /// - Parameters:
  ///   - output: The output.
  ///   - sampleBuffer: The frame with its time. Its pixels stay valid as long as it is retained.
  ///   - connection: The connection of the frame.
  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection)

  /// Called for a frame that was dropped because the delegate was busy; does nothing by default.
  /// - Parameters:
  ///   - output: The output.
  ///   - sampleBuffer: The time of the frame, without pixels.
  ///   - connection: The connection of the frame.
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
