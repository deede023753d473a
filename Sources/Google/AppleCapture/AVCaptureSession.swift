// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaCore
import FoveaImage

/// Takes frames from an input and gives them to outputs.
///
///     let session = AVCaptureSession()
///     session.addInput(FrameSourceInput(VideoFile("walk.mp4")))
///     let output = AVCaptureVideoDataOutput()
///     output.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "frames"))
///     session.addOutput(output)
///     session.startRunning()
///
/// Frames are rotated upright. A session runs until it is stopped or released, its source ends, or something fails, which
/// `runtimeErrorNotification` reports.
public final class AVCaptureSession: NSObject, @unchecked Sendable {
  // SAFETY: what changes is read and written under `lock`.

  private let lock = NSLock()
  /// Taken while the session is started or stopped.
  private let turns = NSRecursiveLock()
  private var input: AVCaptureInput?
  private var deliveries: [FrameDelivery] = []
  private var run: CaptureRun?
  private var preset = Preset.high

  /// Makes a session without input and outputs.
  public override init() { super.init() }

  deinit {
    run?.stop()
    for delivery in deliveries { delivery.close() }
  }

  /// What size of frames a camera is set to when the session starts; `high`, which leaves it unchanged, by default.
  public var sessionPreset: Preset {
    get { lock.withLock { preset } }
    set { lock.withLock { preset = newValue } }
  }
  /// Whether a preset can be set: any can; a camera that lacks the size takes the nearest.
  public func canSetSessionPreset(_ preset: Preset) -> Bool { true }

  /// Begins changes; does nothing here, where each takes effect at once.
  public func beginConfiguration() {}
  /// Ends changes; does nothing here.
  public func commitConfiguration() {}

  /// Whether an input can be added: a session has one.
  public func canAddInput(_ input: AVCaptureInput) -> Bool { lock.withLock { self.input == nil } }
  /// Adds an input; left out where the session has one.
  public func addInput(_ input: AVCaptureInput) {
    lock.withLock { if self.input == nil { self.input = input } }
  }
  /// Takes the input away; without an effect on a session that runs.
  public func removeInput(_ input: AVCaptureInput) {
    lock.withLock { if self.input === input { self.input = nil } }
  }
  /// The input, if there is one.
  public var inputs: [AVCaptureInput] { lock.withLock { input.map { [$0] } ?? [] } }

  /// Whether an output can be added: one that gives frames to a delegate, once.
  public func canAddOutput(_ output: AVCaptureOutput) -> Bool {
    output is AVCaptureVideoDataOutput && output.connection(with: .video) == nil
  }
  /// Adds an output, which takes the frames from here on; left out where it cannot be added.
  public func addOutput(_ output: AVCaptureOutput) {
    guard canAddOutput(output), let output = output as? AVCaptureVideoDataOutput else { return }
    let delivery = FrameDelivery(output)
    output.attach(delivery.connection)
    lock.withLock {
      deliveries.append(delivery)
      if run != nil { delivery.open() }
    }
  }
  /// Takes an output away; it gets no further frame.
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
  /// The ways to the outputs.
  public var connections: [AVCaptureConnection] { currentDeliveries.map(\.connection) }

  private var currentDeliveries: [FrameDelivery] { lock.withLock { deliveries } }

  /// Whether frames come: false again as soon as the source has ended.
  public var isRunning: Bool { lock.withLock { run != nil } }

  /// Opens the input, which may take a while, and lets frames come; nothing where the session runs already.
  ///
  /// `runtimeErrorNotification` reports an input that is missing or cannot be opened, before this returns.
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

  /// Ends the frames, and closes the input before it returns; nothing where the session does not run.
  ///
  /// Frames that wait are left out; a call of a delegate that began may still go on.
  public func stopRunning() {
    turns.withLock {
      guard let run = takeRun(nil) else { return }
      run.stop()
      for delivery in currentDeliveries { delivery.close() }
      run.join()
      post(Self.didStopRunningNotification)
    }
  }

  /// The source has ended or failed.
  private func end(_ run: CaptureRun, _ error: FoveaError?) {
    guard takeRun(run) != nil else { return }
    for delivery in currentDeliveries { delivery.close() }
    if let error { post(Self.runtimeErrorNotification, error) }
    post(Self.didStopRunningNotification)
  }

  /// Makes the session one that does not run.
  /// - Parameter expected: The run that has ended; nil ends any.
  /// - Returns: The run; nil where there is none, or another one by now.
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
