// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The key of the error in the `userInfo` of `AVCaptureSession.runtimeErrorNotification`; its value is a `FoveaError`.
public let AVCaptureSessionErrorKey: String = "AVCaptureSessionErrorKey"

extension AVCaptureSession {
  /// Posted when a session fails: `userInfo` has the error, the object is the session.
  ///
  /// It comes before `didStopRunningNotification`, on the thread that noticed.
  public static let runtimeErrorNotification = NSNotification.Name("AVCaptureSessionRuntimeErrorNotification")
  /// Posted when a session begins to run, on the thread that started it; the object is the session.
  public static let didStartRunningNotification = NSNotification.Name(
    "AVCaptureSessionDidStartRunningNotification")
  /// Posted when a session stops running: it was stopped, it failed, or its source ended and the delegates have taken all
  /// frames; the object is the session.
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
