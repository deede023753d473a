// SPDX-License-Identifier: Apache-2.0

import FoveaImage

/// Where a picture comes from.
public struct ImageInput: Sendable {
  enum Storage: Sendable {
    case file(String)
    case data([UInt8], name: String)
    case pixels(PixelBuffer)
    case prepared(PreparedImage)
  }
  let storage: Storage

  /// A picture in a file, in any format of `ImageFormat`, told by its first bytes, not by its name.
  public static func file(_ path: String) -> ImageInput { ImageInput(storage: .file(path)) }

  /// An encoded picture in memory: the bytes of a picture file.
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: What errors call it.
  /// - Returns: The input.
  public static func data(_ bytes: some Sequence<UInt8>, name: String = "image data") -> ImageInput {
    ImageInput(storage: .data([UInt8](bytes), name: name))
  }

  /// Pixels in memory: a frame of a camera or a video, or what another library decoded.
  ///
  /// Nothing is decoded or copied: the pixels go into the models' tensors where they are.
  public static func pixels(_ buffer: PixelBuffer) -> ImageInput { ImageInput(storage: .pixels(buffer)) }

  /// A picture that is decoded already, by `ObjectDetector.prepare(_:)` or `ImageLabeler.prepare(_:)`.
  public static func prepared(_ image: PreparedImage) -> ImageInput { ImageInput(storage: .prepared(image)) }

  /// Opens the picture: reads its header and checks it against the limits.
  func open(limits: ImageLimits) throws(ImageError) -> OpenedImage {
    switch storage {
    case .file(let path): OpenedImage(try EncodedImage(path: path, limits: limits))
    case .data(let bytes, let name):
      OpenedImage(try EncodedImage(bytes: bytes, name: name, limits: limits))
    case .pixels(let buffer): try OpenedImage(buffer, limits: limits)
    case .prepared(let image): image.opened
    }
  }
}
