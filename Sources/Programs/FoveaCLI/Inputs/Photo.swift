// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaImage
import Synchronization

/// A photo on its way through the program; the first stage that needs its file opens it for all.
final class Photo: Sendable {
  /// Where the bytes are.
  enum Source: Sendable, Equatable {
    case file(String)
    case bytes([UInt8], name: String)
  }

  let source: Source
  private let limits: ImageLimits
  private let isShared: Bool
  private let opened = Mutex<EncodedImage?>(nil)

  /// A photo that nothing has opened yet.
  /// - Parameters:
  ///   - source: Where its bytes are.
  ///   - limits: What it may cost.
  ///   - isShared: Whether others need the file after the model has seen it.
  init(_ source: Source, limits: ImageLimits = ImageLimits(), isShared: Bool = false) {
    self.source = source
    self.limits = limits
    self.isShared = isShared
  }

  /// What errors call it.
  var name: String {
    switch source {
    case .file(let path): path
    case .bytes(_, let name): name
    }
  }

  /// The photo as the library takes it: opened here where others need it too, else by the model's own thread.
  func input() throws(FoveaError) -> ImageInput {
    if isShared { return .encoded(try image()) }
    return switch source {
    case .file(let path): .file(path)
    case .bytes(let bytes, let name): .data(bytes, name: name)
    }
  }

  /// The file with its header read.
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
