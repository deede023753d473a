// SPDX-License-Identifier: Apache-2.0

import AppleCapture
import Dispatch
import Foundation
import FoveaCore
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Synchronization

/// Receives frames and records its calls; it can be held in the first frame.
final class ScriptedDelegate: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
  struct Record: Sendable {
    var taken: [Double] = []
    var dropped: [Double] = []
    var formats: [OSType] = []
    var sizes: [Int] = []
  }
  let record = Mutex(Record())
  /// Signalled when the delegate has a frame.
  let entered = DispatchSemaphore(value: 0)
  /// Awaited in each frame; nil if frames are not held.
  let gate: DispatchSemaphore?
  /// Called in each frame.
  let onFrame: @Sendable (CMSampleBuffer) -> Void

  /// Waits until the delegate has a frame, on a thread that may block.
  func waitForFrame() -> Bool { entered.wait(timeout: .now() + 120) == .success }

  init(isHeld: Bool = false, onFrame: @escaping @Sendable (CMSampleBuffer) -> Void = { _ in }) {
    gate = isHeld ? DispatchSemaphore(value: 0) : nil
    self.onFrame = onFrame
  }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    record.withLock { record in
      record.taken.append(sampleBuffer.presentationTimeStamp.seconds)
      if let buffer = CMSampleBufferGetImageBuffer(sampleBuffer) {
        record.formats.append(CVPixelBufferGetPixelFormatType(buffer))
        record.sizes.append(CVPixelBufferGetWidth(buffer))
      }
    }
    onFrame(sampleBuffer)
    entered.signal()
    _ = gate?.wait(timeout: .now() + 120)
  }

  func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    guard CMSampleBufferGetImageBuffer(sampleBuffer) == nil else { return }
    record.withLock { $0.dropped.append(sampleBuffer.presentationTimeStamp.seconds) }
  }
}

/// Frames that a test returns one after the other, and an end or a failure.
final class ScriptedSource: FrameSource, FrameReader {
  private struct State {
    var frames: [VideoFrame]
    var position = 0
    var isCancelled = false
    var opened = 0
  }
  let name = "script"
  private let state: Mutex<State>
  private let failure: FoveaError?
  private let openFailure: FoveaError?
  /// Called before each frame is returned, with its index.
  private let beforeFrame: @Sendable (Int) -> Void

  init(
    _ frames: [VideoFrame], failure: FoveaError? = nil, openFailure: FoveaError? = nil,
    beforeFrame: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    state = Mutex(State(frames: frames))
    self.failure = failure
    self.openFailure = openFailure
    self.beforeFrame = beforeFrame
  }

  /// The number of times the source was opened, and whether reading was cancelled.
  var openings: Int { state.withLock { $0.opened } }
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func open() throws(FoveaError) -> any FrameReader {
    if let openFailure { throw openFailure }
    state.withLock {
      $0.opened += 1
      $0.position = 0
      $0.isCancelled = false
    }
    return self
  }

  func next() throws(FoveaError) -> VideoFrame? {
    let index = state.withLock { $0.position }
    beforeFrame(index)
    let frame: VideoFrame? = state.withLock { state in
      guard !state.isCancelled, state.position < state.frames.count else { return nil }
      defer { state.position += 1 }
      return state.frames[state.position]
    }
    if frame == nil, !isCancelled, let failure { throw failure }
    return frame
  }

  func cancel() { state.withLock { $0.isCancelled = true } }

  /// Frames of 16 × 8 pixels, a second apart, from 0.
  static func frames(_ count: Int, _ format: FrameFormat = FrameFormat.all[0]) throws -> [VideoFrame] {
    let pixels = try TestFrame.gradient(.init(width: 16, height: 8)).buffer(format)
    return (0..<count).map { VideoFrame(pixels: pixels, number: $0 + 1, seconds: Double($0)) }
  }
}

/// The notifications of a session, and a way to wait for its end; removes its observers when released.
final class SessionEvents: Sendable {
  let names = Mutex<[String]>([])
  let error = Mutex<FoveaError?>(nil)
  private let stopped = DispatchSemaphore(value: 0)
  // SAFETY: written only in `init`, and used again only in `deinit`.
  nonisolated(unsafe) private var observers: [any NSObjectProtocol] = []

  init(_ session: AVCaptureSession) {
    for name in [
      AVCaptureSession.runtimeErrorNotification, AVCaptureSession.didStartRunningNotification,
      AVCaptureSession.didStopRunningNotification,
    ] {
      let observer = NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) {
        [weak self] note in
        guard let self else { return }
        names.withLock { $0.append(note.name.rawValue.replacing("AVCaptureSession", with: "")) }
        if let told = note.userInfo?[AVCaptureSessionErrorKey] as? FoveaError {
          error.withLock { $0 = told }
        }
        if note.name == AVCaptureSession.didStopRunningNotification { stopped.signal() }
      }
      unsafe observers.append(observer)
    }
  }

  deinit { unsafe observers.forEach { NotificationCenter.default.removeObserver($0) } }

  /// Waits until the session has stopped, on a thread that may block.
  func waitForStop() throws {
    guard stopped.wait(timeout: .now() + 120) == .success else { throw TestFailure("the session continues") }
  }
}
