// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

@testable import Fovea

/// A source with scripted frames, errors and waits.
final class ScriptedSource: FrameSource {
  enum Step: Sendable {
    case frame
    case failure(String)
    /// Waits until it is cancelled.
    case wait
  }

  let name = "script"
  private let steps: [Step]
  private let refusal: FoveaError?
  private let frameRate: Double?
  private let opened = Mutex<[ScriptedReader]>([])
  /// The readers that were opened.
  var readers: [ScriptedReader] { opened.withLock { $0 } }
  /// Holds `open` until it is released; nil if it need not wait.
  private let opening: DispatchSemaphore?

  init(_ steps: [Step], refusal: FoveaError? = nil, frameRate: Double? = nil, waitsToOpen: Bool = false) {
    self.steps = steps
    self.refusal = refusal
    self.frameRate = frameRate
    opening = waitsToOpen ? DispatchSemaphore(value: 0) : nil
  }

  func release() { opening?.signal() }

  func open() throws(FoveaError) -> any FrameReader {
    _ = opening?.wait(timeout: .now() + 120)
    if let refusal { throw refusal }
    let reader = ScriptedReader(steps, frameRate: frameRate)
    opened.withLock { $0.append(reader) }
    return reader
  }
}

final class ScriptedReader: FrameReader {
  private let steps: [ScriptedSource.Step]
  private let frameRate: Double?
  private let position = Mutex(0)
  private let cancellation = Mutex(false)
  private let waiting = DispatchSemaphore(value: 0)

  init(_ steps: [ScriptedSource.Step], frameRate: Double?) {
    self.steps = steps
    self.frameRate = frameRate
  }

  /// The number of requested frames.
  var asked: Int { position.withLock { $0 } }
  var isCancelled: Bool { cancellation.withLock { $0 } }

  func next() throws(FoveaError) -> VideoFrame? {
    let index = position.withLock { position in
      defer { position += 1 }
      return position
    }
    guard index < steps.count, !isCancelled else { return nil }
    switch steps[index] {
    case .frame:
      do { return try Scripted.smallFrame(index + 1) } catch { throw FoveaError(error) }
    case .failure(let message):
      throw FoveaError(.unexpected, message, remedy: "Wait")
    case .wait:
      _ = waiting.wait(timeout: .now() + 120)
      return nil
    }
  }

  func cancel() {
    cancellation.withLock { $0 = true }
    waiting.signal()
  }

  var state: SourceState {
    var state = SourceState()
    state.frameRate = frameRate
    state.expectedFrames = steps.count
    return state
  }
}
