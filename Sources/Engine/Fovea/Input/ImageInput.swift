// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry
public import FoveaImage

/// The source of an image.
public struct ImageInput: Sendable {
  enum Storage: Sendable {
    case file(String)
    case data([UInt8], name: String)
    case encoded(EncodedImage)
    case pixels(PixelBuffer)
    case prepared(PreparedImage)
  }
  let storage: Storage
  /// The rotation that makes the stored pixels upright; nil uses the image's own orientation.
  private var orientation: Orientation?

  /// The path of a file; nil for other images.
  package var path: String? { if case .file(let path) = storage { path } else { nil } }

  private init(storage: Storage) { self.storage = storage }

  /// An image in a file, in any format of `ImageFormat`, recognised by its first bytes, not by its name.
  public static func file(_ path: String) -> ImageInput { ImageInput(storage: .file(path)) }

  /// An encoded image in memory: the bytes of an image file.
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: Its name in errors.
  /// - Returns: The input.
  public static func data(_ bytes: some Sequence<UInt8>, name: String = "image data") -> ImageInput {
    ImageInput(storage: .data([UInt8](bytes), name: name))
  }

  /// An encoded image whose header is already read; its bytes are shared.
  ///
  /// Its limits were checked when it was opened; the limits of detector and labeler do not apply.
  public static func encoded(_ image: EncodedImage) -> ImageInput { ImageInput(storage: .encoded(image)) }

  /// Pixels in memory: a frame of a camera or a video, or an image that another library decoded.
  ///
  /// Nothing is decoded or copied: the models' tensors are filled from the buffer directly.
  public static func pixels(_ buffer: PixelBuffer) -> ImageInput { ImageInput(storage: .pixels(buffer)) }

  /// An image that is already decoded, by `ObjectDetector.prepare(_:)` or `ImageLabeler.prepare(_:)`.
  public static func prepared(_ image: PreparedImage) -> ImageInput { ImageInput(storage: .prepared(image)) }

  /// Returns a small grey image, for the first run of a model.
  package static func grey() throws(FoveaError) -> ImageInput {
    do {
      let layout = try PixelLayout(.rgb, size: PixelSize(width: 64, height: 64))
      return .pixels(try PixelBuffer(layout, bytes: [UInt8](repeating: 128, count: layout.byteCount)))
    } catch {
      throw FoveaError(error)
    }
  }

  /// Returns the same image with another orientation.
  /// - Parameter orientation: The rotation that makes the stored pixels upright, instead of the file's or
  ///   the buffer's own orientation. No effect on a prepared image, which was rotated when it was prepared.
  /// - Returns: The input.
  public func oriented(_ orientation: Orientation) -> ImageInput {
    var input = self
    input.orientation = orientation
    return input
  }

  /// Opens the image: reads its header and checks it against the limits.
  func open(limits: ImageLimits) throws(ImageError) -> OpenedImage {
    switch storage {
    case .file(let path): OpenedImage(withOrientation(try EncodedImage(path: path, limits: limits)))
    case .data(let bytes, let name):
      OpenedImage(withOrientation(try EncodedImage(bytes: bytes, name: name, limits: limits)))
    case .encoded(let image): OpenedImage(withOrientation(image))
    case .pixels(var buffer):
      try opened(&buffer, limits)
    case .prepared(let image): image.opened
    }
  }

  private func withOrientation(_ image: EncodedImage) -> EncodedImage {
    orientation.map { image.oriented($0) } ?? image
  }

  private func opened(_ buffer: inout PixelBuffer, _ limits: ImageLimits) throws(ImageError) -> OpenedImage {
    if let orientation, orientation != buffer.orientation { buffer.orientation = orientation }
    return try OpenedImage(buffer, limits: limits)
  }
}
