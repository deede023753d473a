// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaCore
import FoveaImage

/// Delivers frames from an input to outputs.
///
///     let session = AVCaptureSession()
///     session.addInput(FrameSourceInput(VideoFile("walk.mp4")))
///     let output = AVCaptureVideoDataOutput()
///     output.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "frames"))
///     session.addOutput(output)
///     session.startRunning()
///
/// Frames are rotated upright. A session runs until it is stopped or released, its source ends, or it fails,
/// which `runtimeErrorNotification` reports.
public final class AVCaptureSession: NSObject, @unchecked Sendable {
  // SAFETY: all mutable state is accessed under `lock`.

  private let lock = NSLock()
  /// Held while the session is started or stopped.
  private let turns = NSRecursiveLock()
  private var input: AVCaptureInput?
  private var deliveries: [FrameDelivery] = []
  private var run: CaptureRun?
  private var preset = Preset.high

  /// Creates a session without inputs and outputs.
  public override init() { super.init() }

  deinit {
    run?.stop()
    for delivery in deliveries { delivery.close() }
  }

  /// The frame size to which a camera is set when the session starts; `high` by default, which leaves it
  /// unchanged.
  public var sessionPreset: Preset {
    get { lock.withLock { preset } }
    set { lock.withLock { preset = newValue } }
  }
  /// Returns whether a preset can be set: always true; a camera that lacks the size uses the nearest.
  public func canSetSessionPreset(_ preset: Preset) -> Bool { true }

  /// Starts a configuration; does nothing here, since each change takes effect at once.
  public func beginConfiguration() {}
  /// Commits a configuration; does nothing here.
  public func commitConfiguration() {}

  /// Returns whether an input can be added: only if the session has none.
  public func canAddInput(_ input: AVCaptureInput) -> Bool { lock.withLock { self.input == nil } }
  /// Adds an input; does nothing if the session already has one.
  public func addInput(_ input: AVCaptureInput) {
    lock.withLock { if self.input == nil { self.input = input } }
  }
  /// Removes the input; no effect on a running session.
  public func removeInput(_ input: AVCaptureInput) {
    lock.withLock { if self.input === input { self.input = nil } }
  }
  /// The input, if there is one.
  public var inputs: [AVCaptureInput] { lock.withLock { input.map { [$0] } ?? [] } }

  /// Returns whether an output can be added: only an `AVCaptureVideoDataOutput` that no session has.
  public func canAddOutput(_ output: AVCaptureOutput) -> Bool {
    output is AVCaptureVideoDataOutput && output.connection(with: .video) == nil
  }
  /// Adds an output, which receives frames from now on; ignored if it cannot be added.
  public func addOutput(_ output: AVCaptureOutput) {
    guard canAddOutput(output), let output = output as? AVCaptureVideoDataOutput else { return }
    let delivery = FrameDelivery(output)
    output.attach(delivery.connection)
    lock.withLock {
      deliveries.append(delivery)
      if run != nil { delivery.open() }
    }
  }
  /// Removes an output; it receives no more frames.
  public func removeOutput(_ output: AVCaptureOutput) {
    let removed = lock.withLock {
      let removed = deliveries.filter { $0.output === output }
      deliveries.removeAll { $0.output === output }
      return removed
    }
    for delivery in removed {
      delivery.close()
      output.attach(nil)
    }
  }
  /// The outputs, in the order in which they were added.
  public var outputs: [AVCaptureOutput] { currentDeliveries.map(\.output) }
  /// The connections to the outputs.
  public var connections: [AVCaptureConnection] { currentDeliveries.map(\.connection) }

  private var currentDeliveries: [FrameDelivery] { lock.withLock { deliveries } }

  /// Whether the session delivers frames; false as soon as the source has ended.
  public var isRunning: Bool { lock.withLock { run != nil } }

  /// Opens the input, which may take a while, and starts delivering frames; does nothing if already running.
  ///
  /// `runtimeErrorNotification` reports a missing input, or one that cannot be opened, before this returns.
  public func startRunning() {
    turns.withLock {
      let (input, isRunning, preset) = lock.withLock { (self.input, self.run != nil, self.preset) }
      guard !isRunning else { return }
      do {
        guard let input else { throw Self.inputMissing }
        let run = CaptureRun(try input.source(for: preset).open(), input.pacing)
        lock.withLock {
          self.run = run
          for delivery in deliveries { delivery.open() }
        }
        post(Self.didStartRunningNotification)
        run.begin(
          outputs: { [weak self] in self?.currentDeliveries ?? [] },
          onEnd: { [weak self] run, error in self?.end(run, error) })
      } catch {
        post(Self.runtimeErrorNotification, FoveaError(error))
      }
    }
  }

  /// Stops delivering frames and closes the input before it returns; does nothing if not running.
  ///
  /// Waiting frames are dropped; a delegate call in progress may still be running.
  public func stopRunning() {
    turns.withLock {
      guard let run = takeRun(nil) else { return }
      run.stop()
      for delivery in currentDeliveries { delivery.close() }
      run.join()
      post(Self.didStopRunningNotification)
    }
  }

  /// Handles the end or failure of the source.
  private func end(_ run: CaptureRun, _ error: FoveaError?) {
    guard takeRun(run) != nil else { return }
    for delivery in currentDeliveries { delivery.close() }
    if let error { post(Self.runtimeErrorNotification, error) }
    post(Self.didStopRunningNotification)
  }

  /// Clears the current run.
  /// - Parameter expected: The run that has ended; nil for any.
  /// - Returns: The run; nil if there is none, or a different one by now.
  private func takeRun(_ expected: CaptureRun?) -> CaptureRun? {
    lock.withLock {
      guard let run, expected == nil || run === expected else { return nil }
      self.run = nil
      return run
    }
  }

  private func post(_ name: NSNotification.Name, _ error: FoveaError? = nil) {
    NotificationCenter.default.post(
      name: name, object: self, userInfo: error.map { [AVCaptureSessionErrorKey: $0] })
  }

  private static let inputMissing = FoveaError(
    .captureInputMissing, "the session has no input",
    remedy: "Add a camera or a FrameSourceInput before it starts")
}
