// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The key of the error in the `userInfo` of `AVCaptureSession.runtimeErrorNotification`.
///
/// Its value is a `FoveaError`.
public let AVCaptureSessionErrorKey: String = "AVCaptureSessionErrorKey"

extension AVCaptureSession {
  /// Posted when a session fails: `userInfo` has the error, the object is the session.
  ///
  /// Posted before `didStopRunningNotification`, on the thread that detected the failure.
  public static let runtimeErrorNotification = NSNotification.Name("AVCaptureSessionRuntimeErrorNotification")
  /// Posted when a session starts running, on the thread that started it; the object is the session.
  public static let didStartRunningNotification = NSNotification.Name(
    "AVCaptureSessionDidStartRunningNotification")
  /// Posted when a session stops running: it was stopped, it failed, or its source ended and the delegates
  /// have processed all frames; the object is the session.
  public static let didStopRunningNotification = NSNotification.Name(
    "AVCaptureSessionDidStopRunningNotification")
}

extension NSNotification.Name {
  /// `AVCaptureSession.runtimeErrorNotification`.
  public static let AVCaptureSessionRuntimeError = AVCaptureSession.runtimeErrorNotification
  /// `AVCaptureSession.didStartRunningNotification`.
  public static let AVCaptureSessionDidStartRunning = AVCaptureSession.didStartRunningNotification
  /// `AVCaptureSession.didStopRunningNotification`.
  public static let AVCaptureSessionDidStopRunning = AVCaptureSession.didStopRunningNotification
}
