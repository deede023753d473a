// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats

/// One thing to work on, or the reason why an argument gave none.
enum InputItem: Sendable {
  case picture(InputImage)
  case failure(ImageName, FoveaError)
}

/// An image that has not been opened yet.
struct InputImage: Sendable, Hashable {
  enum Source: Sendable, Hashable {
    case file(FilePath)
    case standardInput
  }

  let source: Source
  /// The path below the folder that was named, or the file's own name: where annotated images go.
  let relativePath: String

  /// What results and messages call it: the path as given, or below the folder as given; "-" for standard input.
  var name: String { imageName.text }

  /// The same, with the bytes of a path that is no UTF-8.
  var imageName: ImageName {
    switch source {
    case .file(let path): ImageName(path)
    case .standardInput: ImageName("-")
    }
  }

  /// The same for formats that have a file for each image.
  var imageFile: ImageFile {
    let path: FilePath? = if case .file(let path) = source { path } else { nil }
    return ImageFile(name: imageName, relativePath: relativePath, path: path)
  }
}
