// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Synchronization

/// The machine that runs the program.
///
/// A machine without a sensor does not know its orientation: a program that does, because a camera is mounted
/// sideways or a test needs it, sets `orientation`. Any thread may read and set it.
public final class UIDevice: NSObject, @unchecked Sendable {
  // SAFETY: its only state is `held`, a mutex.
  private let held = Mutex(UIDeviceOrientation.unknown)

  override private init() {}

  /// The current machine.
  public static let current = UIDevice()

  /// Posted after `orientation` changes, on the thread that set it; the object is the device.
  public static let orientationDidChangeNotification = NSNotification.Name(
    "UIDeviceOrientationDidChangeNotification")

  /// The orientation of the machine; `unknown` until it is set.
  ///
  /// Code from Google's guides rotates images by it: `unknown`, `faceUp` and `faceDown` leave them unchanged.
  /// It can be set only here, because there is no sensor.
  public var orientation: UIDeviceOrientation {
    get { held.withLock { $0 } }
    set {
      let isNew = held.withLock { held in
        defer { held = newValue }
        return held != newValue
      }
      if isNew { NotificationCenter.default.post(name: Self.orientationDidChangeNotification, object: self) }
    }
  }

  /// The name of the machine on the network.
  public var name: String { ProcessInfo.processInfo.hostName }
  /// The name of the system: "Linux".
  public var systemName: String { "Linux" }
  /// The version of the system.
  public var systemVersion: String { ProcessInfo.processInfo.operatingSystemVersionString }

  /// Does nothing: changes are always posted.
  public func beginGeneratingDeviceOrientationNotifications() {}
  /// Does nothing: changes are always posted.
  public func endGeneratingDeviceOrientationNotifications() {}
  /// Whether changes are posted: always true.
  public var isGeneratingDeviceOrientationNotifications: Bool { true }
}
