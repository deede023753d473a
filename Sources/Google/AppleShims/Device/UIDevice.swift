// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Synchronization

/// The machine that the program runs on.
///
/// A machine without a sensor does not know how it is held: a program that does, because a camera hangs on its side or a
/// test wants so, sets `orientation`. Any thread may read and set it.
public final class UIDevice: NSObject, @unchecked Sendable {
  // SAFETY: its only state is `held`, a mutex.
  private let held = Mutex(UIDeviceOrientation.unknown)

  override private init() {}

  /// The machine.
  public static let current = UIDevice()

  /// Posted after `orientation` changes, on the thread that set it; the object is the device.
  public static let orientationDidChangeNotification = NSNotification.Name(
    "UIDeviceOrientationDidChangeNotification")

  /// How the machine is held; `unknown` until it is set.
  ///
  /// The guides' code turns images by it: `unknown`, `faceUp` and `faceDown` leave them as they are. It can be set only
  /// here, where there is no sensor.
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

  /// The name of the machine in the network.
  public var name: String { ProcessInfo.processInfo.hostName }
  /// The name of the system: "Linux".
  public var systemName: String { "Linux" }
  /// The version of the system.
  public var systemVersion: String { ProcessInfo.processInfo.operatingSystemVersionString }

  /// Does nothing: changes are always posted.
  public func beginGeneratingDeviceOrientationNotifications() {}
  /// Does nothing: changes are always posted.
  public func endGeneratingDeviceOrientationNotifications() {}
  /// Whether changes are posted: always.
  public var isGeneratingDeviceOrientationNotifications: Bool { true }
}
