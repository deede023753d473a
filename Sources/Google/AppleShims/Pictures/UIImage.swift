// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaGeometry
public import FoveaImage

/// An image with the turn that makes it upright.
///
/// Opening a file reads its header only: size, orientation and format. Pixels are decoded when they are needed, so that a
/// file whose header is sound and whose pixels are damaged opens, and what uses its pixels says why it cannot. All formats
/// of `ImageFormat` can be opened.
public final class UIImage: NSObject, @unchecked Sendable {
  // SAFETY: everything is set in init and never changed.
  /// The pixels in their stored orientation; nil never happens here, and is kept for programs written for iOS.
  public var cgImage: CGImage? { image }
  /// How the stored pixels must be rotated to be upright: what EXIF says, `up` where it says nothing.
  public let imageOrientation: Orientation
  /// Pixels a point, 1 by default.
  public let scale: CGFloat
  let image: CGImage

  /// Takes pixels that are stored upright, one pixel a point.
  public convenience init(cgImage: CGImage) { self.init(cgImage: cgImage, scale: 1, orientation: .up) }

  /// Takes pixels with the turn that makes them upright.
  /// - Parameters:
  ///   - cgImage: The pixels as stored.
  ///   - scale: Pixels a point; what is not above 0 counts as 1.
  ///   - orientation: How they must be rotated to be upright.
  public init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
    image = cgImage
    self.scale = scale > 0 && scale.isFinite ? scale : 1
    imageOrientation = orientation
  }

  /// Opens an image file; gives nil when there is none, or it is no image.
  ///
  /// `open(path:)` says which.
  /// - Parameter path: The file; its name does not matter.
  public convenience init?(contentsOfFile path: String) {
    guard let image = try? EncodedImage(path: path) else { return nil }
    self.init(image, scale: 1)
  }

  /// Takes the bytes of an image file, one pixel a point; gives nil when they are no image.
  ///
  /// `open(data:name:)` says why.
  /// - Parameter data: The whole file.
  public convenience init?(data: Data) { self.init(data: data, scale: 1) }

  /// Takes the bytes of an image file; gives nil when they are no image.
  ///
  /// `open(data:name:)` says why.
  /// - Parameters:
  ///   - data: The whole file.
  ///   - scale: Pixels a point; what is not above 0 counts as 1.
  public convenience init?(data: Data, scale: CGFloat) {
    guard let image = try? EncodedImage(bytes: [UInt8](data), name: "image data") else { return nil }
    self.init(image, scale: scale)
  }

  /// Opens an image among the program's resources; gives nil when the main bundle has none of that name.
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

  /// Width and height of the upright image in points: pixels divided by `scale`.
  public var size: CGSize {
    let upright = imageOrientation.orientation.uprightSize(ofStored: image.size)
    return CGSize(width: CGFloat(upright.width) / scale, height: CGFloat(upright.height) / scale)
  }
}

extension UIImage {
  /// Opens an image file, and says why it cannot; an addition to UIKit.
  /// - Parameter path: The file; its name does not matter.
  /// - Returns: The image, one pixel a point.
  /// - Throws: `ImageError` when there is no such file, it cannot be read, is no image, damaged or too large.
  public static func open(path: String) throws(ImageError) -> UIImage {
    UIImage(try EncodedImage(path: path), scale: 1)
  }

  /// Takes the bytes of an image file, and says why it cannot; an addition to UIKit.
  /// - Parameters:
  ///   - data: The whole file.
  ///   - name: What errors call the image.
  /// - Returns: The image, one pixel a point.
  /// - Throws: `ImageError` when the bytes are no image, damaged or too large.
  public static func open(data: Data, name: String = "image data") throws(ImageError) -> UIImage {
    UIImage(try EncodedImage(bytes: [UInt8](data), name: name), scale: 1)
  }
}
