// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaImage
import Synchronization

/// A photo being processed; the first stage that needs its file opens it for all.
final class Photo: Sendable {
  /// The source of the bytes.
  enum Source: Sendable, Equatable {
    case file(String)
    case bytes([UInt8], name: String)
  }

  let source: Source
  private let limits: ImageLimits
  private let isShared: Bool
  private let opened = Mutex<EncodedImage?>(nil)

  /// Creates a photo that is not opened yet.
  /// - Parameters:
  ///   - source: The source of its bytes.
  ///   - limits: The limits of a single image.
  ///   - isShared: Whether later stages need the file after the model has run.
  init(_ source: Source, limits: ImageLimits = ImageLimits(), isShared: Bool = false) {
    self.source = source
    self.limits = limits
    self.isShared = isShared
  }

  /// The name in error messages.
  var name: String {
    switch source {
    case .file(let path): path
    case .bytes(_, let name): name
    }
  }

  /// Returns the library's input.
  ///
  /// It is opened here if later stages need it too, else by the model's thread.
  func input() throws(FoveaError) -> ImageInput {
    if isShared { return .encoded(try image()) }
    return switch source {
    case .file(let path): .file(path)
    case .bytes(let bytes, let name): .data(bytes, name: name)
    }
  }

  /// Returns the opened file, with its header read.
  func image() throws(FoveaError) -> EncodedImage {
    do {
      return try opened.withLock { opened throws(ImageError) in
        if let opened { return opened }
        let image =
          switch source {
          case .file(let path): try EncodedImage(path: path, limits: limits)
          case .bytes(let bytes, let name): try EncodedImage(bytes: bytes, name: name, limits: limits)
          }
        opened = image
        return image
      }
    } catch {
      throw FoveaError(error)
    }
  }
}
