// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats

/// An image to process, or the reason why an argument has none.
enum InputItem: Sendable {
  case image(InputImage)
  case failure(ImageName, FoveaError)
}

/// An image that has not been opened yet.
struct InputImage: Sendable, Hashable {
  enum Source: Sendable, Hashable {
    case file(FilePath)
    case standardInput
  }

  let source: Source
  /// The path relative to the folder argument, or the file's own name; annotated images use it.
  let relativePath: String

  /// The name in results and messages: the path as given, or in the folder as given; "-" for standard input.
  var name: String { imageName.text }

  /// The same name, with the bytes of a path that is not UTF-8.
  var imageName: ImageName {
    switch source {
    case .file(let path): ImageName(path)
    case .standardInput: ImageName("-")
    }
  }

  /// The same name for formats that write a file for each image.
  var imageFile: ImageFile {
    let path: FilePath? = if case .file(let path) = source { path } else { nil }
    return ImageFile(name: imageName, relativePath: relativePath, path: path)
  }
}
