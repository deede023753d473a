// SPDX-License-Identifier: Apache-2.0

import AppleShims
public import Foundation
import FoveaVideo
import Synchronization

// SAFETY: only `frameDuration` changes, a mutex.
/// A camera: `/dev/video0` and its like.
public final class AVCaptureDevice: NSObject, @unchecked Sendable {
  /// Where a camera is on the device.
  ///
  /// The numbers are AVFoundation's.
  public enum Position: Int, Sendable, CaseIterable {
    /// Nowhere in particular: a camera on a cable.
    case unspecified = 0
    /// On the back.
    case back = 1
    /// Next to the screen.
    case front = 2
  }

  /// What kind of camera it is.
  public struct DeviceType: RawRepresentable, Sendable, Hashable {
    /// The name.
    public let rawValue: String
    /// Makes a kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// An ordinary camera of a phone; stands for any camera here.
    public static let builtInWideAngleCamera = DeviceType(
      rawValue: "AVCaptureDeviceTypeBuiltInWideAngleCamera")
    /// A camera on a cable: what cameras here are.
    public static let external = DeviceType(rawValue: "AVCaptureDeviceTypeExternal")
  }

  /// The path of the camera's file: "/dev/video0".
  public let uniqueID: String
  /// Where the camera is: what the program asked for, because the system does not say.
  public let position: Position
  private let frameDuration = Mutex(CMTime.invalid)

  init(path: String, position: Position = .unspecified) {
    uniqueID = path
    self.position = position
  }

  /// Takes the camera with a path; gives nil where there is none.
  /// - Parameter deviceUniqueID: The path: "/dev/video0".
  public convenience init?(uniqueID deviceUniqueID: String) {
    guard Self.isCamera(deviceUniqueID) else { return nil }
    self.init(path: deviceUniqueID)
  }

  /// The name of the camera: its path.
  public var localizedName: String { uniqueID }
  /// What kind of camera it is: `external`.
  public var deviceType: DeviceType { .external }
  /// Whether the device gives a medium: video alone.
  public func hasMediaType(_ mediaType: AVMediaType) -> Bool { mediaType == .video }

  /// The time between two frames that the camera is set to when a session starts; `invalid`, the default, leaves it as it
  /// is.
  public var activeVideoMinFrameDuration: CMTime {
    get { frameDuration.withLock { $0 } }
    set { frameDuration.withLock { $0 = newValue } }
  }
  /// Begins to change settings; does nothing here, and never throws.
  public func lockForConfiguration() throws {}
  /// Ends changing settings; does nothing here.
  public func unlockForConfiguration() {}
}

extension AVCaptureDevice {
  /// The first camera.
  /// - Parameter mediaType: `video`; there are no devices for other media.
  /// - Returns: nil where there is none.
  public static func `default`(for mediaType: AVMediaType) -> AVCaptureDevice? {
    cameras(mediaType, position: .unspecified).first
  }

  /// The first camera, with the position that the program asks for.
  /// - Parameters:
  ///   - deviceType: Any: the system does not distinguish kinds.
  ///   - mediaType: `video`; nil counts as that. There are no devices for other media.
  ///   - position: The position that the camera then reports, because the system knows none.
  /// - Returns: nil where there is none.
  public static func `default`(
    _ deviceType: DeviceType, for mediaType: AVMediaType?, position: Position
  ) -> AVCaptureDevice? {
    cameras(mediaType, position: position).first
  }

  /// Whether the program may use cameras: always, as far as this goes; opening one says whether its file may be read.
  public static func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus { .authorized }

  /// Calls `handler` with true, at once.
  public static func requestAccess(for mediaType: AVMediaType, completionHandler handler: (Bool) -> Void) {
    handler(true)
  }

  /// Gives true, at once.
  public static func requestAccess(for mediaType: AVMediaType) async -> Bool { true }

  /// All cameras, in the order of their numbers.
  static func cameras(_ mediaType: AVMediaType?, position: Position) -> [AVCaptureDevice] {
    guard mediaType ?? .video == .video else { return [] }
    return (0..<64).map { "/dev/video\($0)" }.filter(isCamera)
      .map { AVCaptureDevice(path: $0, position: position) }
  }

  private static func isCamera(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path) && VideoSource(path) == .camera(path)
  }
}

extension AVCaptureDevice {
  // SAFETY: everything is set in init and never changed.
  /// A search for cameras.
  public final class DiscoverySession: NSObject, @unchecked Sendable {
    /// What was found, in the order of their numbers.
    public let devices: [AVCaptureDevice]

    /// Looks for cameras, once.
    /// - Parameters:
    ///   - deviceTypes: Any: the system does not distinguish kinds.
    ///   - mediaType: `video`; nil counts as that.
    ///   - position: The position that the cameras then report.
    public init(deviceTypes: [DeviceType], mediaType: AVMediaType?, position: Position) {
      devices = AVCaptureDevice.cameras(mediaType, position: position)
    }
  }
}
