// SPDX-License-Identifier: Apache-2.0

/// The kind of a colour space.
///
/// The numbers are Apple's.
public enum CGColorSpaceModel: Int32, Sendable {
  /// Unknown.
  case unknown = -1
  /// One component: brightness.
  case monochrome = 0
  /// Three components: red, green, blue.
  case rgb = 1
  /// Four components: cyan, magenta, yellow, black.
  case cmyk = 2
}

/// A colour space: grey or RGB.
///
/// Colours are never converted: models are trained on the stored numbers.
public final class CGColorSpace: Sendable {
  /// The kind of the space.
  public let model: CGColorSpaceModel
  /// The name; nil for the spaces of a device.
  public let name: CFString?

  init(model: CGColorSpaceModel, name: CFString? = nil) {
    self.model = model
    self.name = name
  }

  /// Creates a space from its name; nil for an unknown name.
  /// - Parameter name: `CGColorSpace.sRGB`, `genericRGBLinear`, `displayP3`, `genericGrayGamma2_2` or
  ///   `linearGray`.
  public convenience init?(name: CFString) {
    switch name {
    case Self.sRGB, Self.genericRGBLinear, Self.displayP3: self.init(model: .rgb, name: name)
    case Self.genericGrayGamma2_2, Self.linearGray: self.init(model: .monochrome, name: name)
    default: return nil
    }
  }

  /// The number of components of a pixel without alpha: 1 or 3.
  public var numberOfComponents: Int {
    switch model {
    case .rgb: 3
    case .cmyk: 4
    case .monochrome: 1
    case .unknown: 0
    }
  }

  /// The name of sRGB.
  public static let sRGB: CFString = "kCGColorSpaceSRGB"
  /// The name of the generic linear RGB space.
  public static let genericRGBLinear: CFString = "kCGColorSpaceGenericRGBLinear"
  /// The name of Display P3.
  public static let displayP3: CFString = "kCGColorSpaceDisplayP3"
  /// The name of the generic grey space with gamma 2.2.
  public static let genericGrayGamma2_2: CFString = "kCGColorSpaceGenericGrayGamma2_2"
  /// The name of the linear grey space.
  public static let linearGray: CFString = "kCGColorSpaceLinearGray"
}

/// Returns the RGB space of the device.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace(model: .rgb) }

/// Returns the grey space of the device.
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace { CGColorSpace(model: .monochrome) }
