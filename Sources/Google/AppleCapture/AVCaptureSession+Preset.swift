// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

extension AVCaptureSession {
  /// The frame size to which a camera is set.
  public struct Preset: RawRepresentable, Sendable, Hashable {
    /// The name.
    public let rawValue: String
    /// Creates a preset from its name; an unknown name leaves the camera unchanged.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The camera's current size.
    public static let high = Preset(rawValue: "AVCaptureSessionPresetHigh")
    /// The camera's current size.
    public static let photo = Preset(rawValue: "AVCaptureSessionPresetPhoto")
    /// 480 × 360 pixels.
    public static let medium = Preset(rawValue: "AVCaptureSessionPresetMedium")
    /// 192 × 144 pixels.
    public static let low = Preset(rawValue: "AVCaptureSessionPresetLow")
    /// 352 × 288 pixels.
    public static let cif352x288 = Preset(rawValue: "AVCaptureSessionPreset352x288")
    /// 640 × 480 pixels.
    public static let vga640x480 = Preset(rawValue: "AVCaptureSessionPreset640x480")
    /// 1280 × 720 pixels.
    public static let hd1280x720 = Preset(rawValue: "AVCaptureSessionPreset1280x720")
    /// 1920 × 1080 pixels.
    public static let hd1920x1080 = Preset(rawValue: "AVCaptureSessionPreset1920x1080")
    /// 3840 × 2160 pixels.
    public static let hd4K3840x2160 = Preset(rawValue: "AVCaptureSessionPreset3840x2160")

    /// The size in pixels; nil leaves the camera unchanged.
    var size: PixelSize? {
      switch self {
      case .medium: PixelSize(width: 480, height: 360)
      case .low: PixelSize(width: 192, height: 144)
      case .cif352x288: PixelSize(width: 352, height: 288)
      case .vga640x480: PixelSize(width: 640, height: 480)
      case .hd1280x720: PixelSize(width: 1280, height: 720)
      case .hd1920x1080: PixelSize(width: 1920, height: 1080)
      case .hd4K3840x2160: PixelSize(width: 3840, height: 2160)
      default: nil
      }
    }
  }
}
