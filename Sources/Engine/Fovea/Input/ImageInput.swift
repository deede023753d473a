// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry
public import FoveaImage

/// Where an image comes from.
public struct ImageInput: Sendable {
  enum Storage: Sendable {
    case file(String)
    case data([UInt8], name: String)
    case encoded(EncodedImage)
    case pixels(PixelBuffer)
    case prepared(PreparedImage)
  }
  let storage: Storage
  /// How the stored pixels must be rotated to be upright; nil where the image says it itself.
  private var orientation: Orientation?

  private init(storage: Storage) { self.storage = storage }

  /// An image in a file, in any format of `ImageFormat`, recognised by its first bytes, not by its name.
  public static func file(_ path: String) -> ImageInput { ImageInput(storage: .file(path)) }

  /// An encoded image in memory: the bytes of an image file.
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: What errors call it.
  /// - Returns: The input.
  public static func data(_ bytes: some Sequence<UInt8>, name: String = "image data") -> ImageInput {
    ImageInput(storage: .data([UInt8](bytes), name: name))
  }

  /// An encoded image of which the header was read already; its bytes are shared.
  ///
  /// What it may cost was said when it was opened: the limits of detector and labeler do not count for it.
  public static func encoded(_ image: EncodedImage) -> ImageInput { ImageInput(storage: .encoded(image)) }

  /// Pixels in memory: a frame of a camera or a video, or what another library decoded.
  ///
  /// Nothing is decoded or copied: the pixels go into the models' tensors where they are.
  public static func pixels(_ buffer: PixelBuffer) -> ImageInput { ImageInput(storage: .pixels(buffer)) }

  /// An image that is decoded already, by `ObjectDetector.prepare(_:)` or `ImageLabeler.prepare(_:)`.
  public static func prepared(_ image: PreparedImage) -> ImageInput { ImageInput(storage: .prepared(image)) }

  /// The same image with another orientation than its own.
  /// - Parameter orientation: How the stored pixels must be rotated to be upright, in place of what the file or the
  ///   buffer says. Without effect on a prepared image, which was rotated when it was prepared.
  /// - Returns: The input.
  public func oriented(_ orientation: Orientation) -> ImageInput {
    var input = self
    input.orientation = orientation
    return input
  }

  /// Opens the image: reads its header and checks it against the limits.
  func open(limits: ImageLimits) throws(ImageError) -> OpenedImage {
    switch storage {
    case .file(let path): OpenedImage(turned(try EncodedImage(path: path, limits: limits)))
    case .data(let bytes, let name):
      OpenedImage(turned(try EncodedImage(bytes: bytes, name: name, limits: limits)))
    case .encoded(let image): OpenedImage(turned(image))
    case .pixels(var buffer):
      try opened(&buffer, limits)
    case .prepared(let image): image.opened
    }
  }

  private func turned(_ image: EncodedImage) -> EncodedImage {
    orientation.map { image.oriented($0) } ?? image
  }

  private func opened(_ buffer: inout PixelBuffer, _ limits: ImageLimits) throws(ImageError) -> OpenedImage {
    if let orientation, orientation != buffer.orientation { buffer.orientation = orientation }
    return try OpenedImage(buffer, limits: limits)
  }
}
