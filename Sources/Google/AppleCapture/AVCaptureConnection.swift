// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Synchronization

// SAFETY: only `enabled` changes, which is a mutex.
/// The connection of a session's input to one output.
public final class AVCaptureConnection: NSObject, @unchecked Sendable {
  private let enabled = Mutex(true)
  private let connected: AVCaptureOutput

  init(_ output: AVCaptureOutput) { connected = output }

  /// The output.
  public var output: AVCaptureOutput? { connected }

  /// Whether frames are delivered; true by default.
  ///
  /// While it is false, frames are skipped.
  public var isEnabled: Bool {
    get { enabled.withLock { $0 } }
    set { enabled.withLock { $0 = newValue } }
  }
}
