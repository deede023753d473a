// SPDX-License-Identifier: Apache-2.0

import AppleShims
public import Foundation
import FoveaVideo
import Synchronization

// SAFETY: only `frameDuration` changes, which is a mutex.
/// A camera, such as `/dev/video0`.
public final class AVCaptureDevice: NSObject, @unchecked Sendable {
  /// The position of a camera on the device.
  ///
  /// The numbers are AVFoundation's.
  public enum Position: Int, Sendable, CaseIterable {
    /// Unspecified: an external camera.
    case unspecified = 0
    /// On the back.
    case back = 1
    /// Next to the screen.
    case front = 2
  }

  /// The kind of a camera.
  public struct DeviceType: RawRepresentable, Sendable, Hashable {
    /// The name.
    public let rawValue: String
    /// Creates a kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// An ordinary phone camera; matches any camera here.
    public static let builtInWideAngleCamera = DeviceType(
      rawValue: "AVCaptureDeviceTypeBuiltInWideAngleCamera")
    /// An external camera, the type of all cameras here.
    public static let external = DeviceType(rawValue: "AVCaptureDeviceTypeExternal")
  }

  /// The path of the camera's device file: "/dev/video0".
  public let uniqueID: String
  /// The position of the camera as the program requested it, because the system does not report one.
  public let position: Position
  private let frameDuration = Mutex(CMTime.invalid)

  init(path: String, position: Position = .unspecified) {
    uniqueID = path
    self.position = position
  }

  /// Creates a device for the camera with a path; nil if there is none.
  /// - Parameter deviceUniqueID: The path: "/dev/video0".
  public convenience init?(uniqueID deviceUniqueID: String) {
    guard Self.isCamera(deviceUniqueID) else { return nil }
    self.init(path: deviceUniqueID)
  }

  /// The name of the camera: its path.
  public var localizedName: String { uniqueID }
  /// The kind of the camera: `external`.
  public var deviceType: DeviceType { .external }
  /// Returns whether the device delivers a medium: true only for video.
  public func hasMediaType(_ mediaType: AVMediaType) -> Bool { mediaType == .video }

  /// The time between two frames, set on the camera when a session starts; `invalid`, the default, leaves it
  /// unchanged.
  public var activeVideoMinFrameDuration: CMTime {
    get { frameDuration.withLock { $0 } }
    set { frameDuration.withLock { $0 = newValue } }
  }
  /// Locks the settings for changes; does nothing here, and never throws.
  public func lockForConfiguration() throws {}
  /// Unlocks the settings; does nothing here.
  public func unlockForConfiguration() {}
}

extension AVCaptureDevice {
  /// Returns the first camera.
  /// - Parameter mediaType: `video`; there are no devices for other media.
  /// - Returns: nil if there is none.
  public static func `default`(for mediaType: AVMediaType) -> AVCaptureDevice? {
    cameras(mediaType, position: .unspecified).first
  }

  /// Returns the first camera, with the requested position.
  /// - Parameters:
  ///   - deviceType: Ignored: the system does not distinguish kinds.
  ///   - mediaType: `video`; nil counts as `video`. There are no devices for other media.
  ///   - position: The position that the camera then reports, because the system does not know it.
  /// - Returns: nil if there is none.
  public static func `default`(
    _ deviceType: DeviceType, for mediaType: AVMediaType?, position: Position
  ) -> AVCaptureDevice? {
    cameras(mediaType, position: position).first
  }

  /// Returns `authorized`: only the permissions of the camera's file, checked when it is opened, restrict
  /// access.
  public static func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus { .authorized }

  /// Calls `handler` with true at once.
  public static func requestAccess(for mediaType: AVMediaType, completionHandler handler: (Bool) -> Void) {
    handler(true)
  }

  /// Returns true at once.
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
    /// The cameras that were found, in the order of their numbers.
    public let devices: [AVCaptureDevice]

    /// Searches for cameras once.
    /// - Parameters:
    ///   - deviceTypes: Ignored: the system does not distinguish kinds.
    ///   - mediaType: `video`; nil counts as `video`.
    ///   - position: The position that the cameras then report.
    public init(deviceTypes: [DeviceType], mediaType: AVMediaType?, position: Position) {
      devices = AVCaptureDevice.cameras(mediaType, position: position)
    }
  }
}
