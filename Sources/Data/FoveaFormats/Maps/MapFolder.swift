// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaImage

/// Images of class numbers as in Pascal VOC: `a.png` with a palette for each image `a.jpg`, of its size.
package struct MapFolder: DetectionFolder {
  private let path: String
  private let source: String?

  /// Creates a writer for a folder, which is created with the first file.
  /// - Parameters:
  ///   - path: The path of the folder.
  ///   - source: The origin of the maps, such as the checksum of a model, in up to 200 characters of ASCII,
  ///     which is stored in each file. Nil if unknown.
  package init(path: String, source: String? = nil) {
    self.path = path
    self.source = source
  }

  private func file(of image: ImageFile) -> String {
    FilePath.joined(path, ResultFile.name(of: image, ending: ".png"))
  }

  /// Writes the file of an image atomically.
  /// - Throws: `result-unwritable`, `disk-full` or `output-in-use`; `output-overwrites` if the file is the
  ///   image itself, or another file than a map with a source.
  package func write(_ findings: DetectionRecord.Findings, of image: ImageFile) throws(FoveaError) {
    guard case .map(let map) = findings.content else { return }
    if let victim = isPhoto(image) ? "the photo itself" : foreignFile(inPlaceOf: image) {
      throw FoveaError(
        .outputOverwrites, "the class numbers would replace \(victim)",
        remedy: "Name another folder with \(flag: "output", "its path")", subject: image.name.text)
    }
    do {
      var png = try ClassImage.png(map.classes(in: findings.size), size: findings.size)
      if let source { png = ClassImage.naming(source, in: png) }
      try ResultFile.write(png, to: file(of: image))
    } catch {
      throw FoveaError(error)
    }
  }

  /// Whether an earlier run has written the map of this image; false for the map of another source, and for
  /// the photo itself in its place.
  package func isDone(_ image: ImageFile) -> Bool {
    guard let map = try? EncodedImage(path: file(of: image)) else { return false }
    guard !isPhoto(image), ClassImage.hasPalette(map) else { return false }
    // Older versions stored no source.
    guard let source, let found = ClassImage.source(in: map) else { return true }
    return found == source
  }

  /// Returns the file that the map would replace, in words; nil if there is none, or if it is a map that
  /// names its source.
  private func foreignFile(inPlaceOf image: ImageFile) -> String? {
    let place = file(of: image)
    guard FileStatus(FilePath(place))?.kind == .file else { return nil }
    if let map = try? EncodedImage(path: place), ClassImage.source(in: map) != nil { return nil }
    return "'\(place.printable)', which is not a map of an earlier run"
  }

  /// Whether the file of the map would be the photo itself.
  private func isPhoto(_ image: ImageFile) -> Bool {
    guard let photo = image.path, let identity = FileStatus(photo)?.identity else { return false }
    return identity == FileStatus(FilePath(file(of: image)))?.identity
  }
}
