// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaImage

/// Images of class numbers as in Pascal VOC: `a.png` with a palette for each image `a.jpg`, of its size.
package struct MapFolder: DetectionFolder {
  private let path: String

  /// Creates a writer for the folder at `path`, which is created with the first file.
  package init(path: String) { self.path = path }

  private func file(of image: ImageFile) -> String {
    FilePath.joined(path, ResultFile.name(of: image, ending: ".png"))
  }

  /// Writes the file of an image atomically.
  /// - Throws: `result-unwritable`, `disk-full` or `output-in-use`; `output-overwrites` if the file is the
  ///   image itself.
  package func write(_ findings: DetectionRecord.Findings, of image: ImageFile) throws(FoveaError) {
    guard case .map(let map) = findings.content else { return }
    guard !isPhoto(image) else {
      throw FoveaError(
        .outputOverwrites, "the class numbers would replace the photo itself",
        remedy: "Name another folder with \(flag: "output", "its path")", subject: image.name.text)
    }
    do {
      let png = try ClassImage.png(map.classes(in: findings.size), size: findings.size)
      try ResultFile.write(png, to: file(of: image))
    } catch {
      throw FoveaError(error)
    }
  }

  /// Whether an earlier run has written the map of this image; false for the photo itself in its place.
  package func isDone(_ image: ImageFile) -> Bool {
    guard let map = try? EncodedImage(path: file(of: image)) else { return false }
    return !isPhoto(image) && ClassImage.hasPalette(map)
  }

  /// Whether the file of the map would be the photo itself.
  private func isPhoto(_ image: ImageFile) -> Bool {
    guard let photo = image.path, let identity = FileStatus(photo)?.identity else { return false }
    return identity == FileStatus(FilePath(file(of: image)))?.identity
  }
}
