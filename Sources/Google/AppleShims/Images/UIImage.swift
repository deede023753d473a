// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaGeometry
public import FoveaImage

/// An image with the rotation that makes it upright.
///
/// Opening a file reads only its header: size, orientation and format. Pixels are decoded when they are
/// needed: a file with a valid header and damaged pixels opens, and the first use of its pixels reports the
/// problem. All formats of `ImageFormat` can be opened.
public final class UIImage: NSObject, @unchecked Sendable {
  // SAFETY: everything is set in init and never changed.
  /// The pixels in their stored orientation; never nil here, but optional for code written for iOS.
  public var cgImage: CGImage? { image }
  /// The rotation that makes the stored pixels upright: the EXIF orientation, `up` if there is none.
  public let imageOrientation: Orientation
  /// The number of pixels per point, 1 by default.
  public let scale: CGFloat
  let image: CGImage

  /// Creates an image from pixels that are stored upright, one pixel per point.
  public convenience init(cgImage: CGImage) { self.init(cgImage: cgImage, scale: 1, orientation: .up) }

  /// Creates an image from pixels and the rotation that makes them upright.
  /// - Parameters:
  ///   - cgImage: The pixels as stored.
  ///   - scale: Pixels per point; a value that is not above 0 counts as 1.
  ///   - orientation: The rotation that makes them upright.
  public init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
    image = cgImage
    self.scale = scale > 0 && scale.isFinite ? scale : 1
    imageOrientation = orientation
  }

  /// Opens an image file; nil if there is none or it is not an image.
  ///
  /// `open(path:)` throws the reason.
  /// - Parameter path: The path of the file; its name does not matter.
  public convenience init?(contentsOfFile path: String) {
    guard let image = try? EncodedImage(path: path) else { return nil }
    self.init(image, scale: 1)
  }

  /// Creates an image from the bytes of an image file, one pixel per point; nil if they are not an image.
  ///
  /// `open(data:name:)` throws the reason.
  /// - Parameter data: The whole file.
  public convenience init?(data: Data) { self.init(data: data, scale: 1) }

  /// Creates an image from the bytes of an image file; nil if they are not an image.
  ///
  /// `open(data:name:)` throws the reason.
  /// - Parameters:
  ///   - data: The whole file.
  ///   - scale: Pixels per point; a value that is not above 0 counts as 1.
  public convenience init?(data: Data, scale: CGFloat) {
    guard let image = try? EncodedImage(bytes: [UInt8](data), name: "image data") else { return nil }
    self.init(image, scale: scale)
  }

  /// Opens an image among the program's resources; nil if the main bundle has none of that name.
  /// - Parameter name: The file's name; without an extension "png", "jpg" and "jpeg" are tried.
  public convenience init?(named name: String) {
    let extensions = name.contains(".") ? [nil] : ["png", "jpg", "jpeg"]
    let paths = extensions.lazy.compactMap { Bundle.main.path(forResource: name, ofType: $0) }
    guard let path = paths.first else { return nil }
    self.init(contentsOfFile: path)
  }

  private convenience init(_ image: EncodedImage, scale: CGFloat) {
    self.init(cgImage: CGImage(image), scale: scale, orientation: Orientation(image.orientation))
  }

  /// The width and height of the upright image in points: pixels divided by `scale`.
  public var size: CGSize {
    let upright = imageOrientation.orientation.uprightSize(ofStored: image.size)
    return CGSize(width: CGFloat(upright.width) / scale, height: CGFloat(upright.height) / scale)
  }
}

extension UIImage {
  /// Opens an image file, or throws the reason why it cannot; an addition to UIKit.
  /// - Parameter path: The path of the file; its name does not matter.
  /// - Returns: The image, one pixel per point.
  /// - Throws: `ImageError` if the file is missing, unreadable, not an image, damaged or too large.
  public static func open(path: String) throws(ImageError) -> UIImage {
    UIImage(try EncodedImage(path: path), scale: 1)
  }

  /// Creates an image from the bytes of an image file, or throws the reason why it cannot; an addition to
  /// UIKit.
  /// - Parameters:
  ///   - data: The whole file.
  ///   - name: The name of the image in errors.
  /// - Returns: The image, one pixel per point.
  /// - Throws: `ImageError` if the bytes are not an image, damaged or too large.
  public static func open(data: Data, name: String = "image data") throws(ImageError) -> UIImage {
    UIImage(try EncodedImage(bytes: [UInt8](data), name: name), scale: 1)
  }
}
