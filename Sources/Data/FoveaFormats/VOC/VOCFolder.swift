// SPDX-License-Identifier: Apache-2.0

public import Fovea
import FoveaCore

/// Pascal VOC: `a.xml` for each image `a.jpg`.
public struct VOCFolder: DetectionFolder {
  private let path: String

  /// Creates a writer for the folder at `path`, which is created with the first file.
  public init(path: String) { self.path = path }

  private func file(of image: ImageFile) -> String {
    FilePath.joined(path, ResultFile.name(of: image, ending: ".xml"))
  }

  /// Writes the file of an image atomically.
  /// - Throws: `result-unwritable`, `disk-full` or `output-in-use`.
  public func write(_ findings: DetectionRecord.Findings, of image: ImageFile) throws(FoveaError) {
    try ResultFile.write(VOCDocument(findings, of: image).text, to: file(of: image))
  }

  /// Whether the file exists, is complete and belongs to this image; a file for an image in another folder
  /// may have the same name.
  public func isDone(_ image: ImageFile) -> Bool {
    guard let bytes = try? SmallFile.bytes(of: file(of: image), limit: 1 << 26) else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.hasSuffix(VOCDocument.end) && text.contains(part: VOCDocument.pathElement(of: image))
  }
}

extension DetectionFormat {
  /// ``VOCFolder``.
  package static let voc = DetectionFormat(
    "voc", isForBoxes: true, output: .folder { path, _ in VOCFolder(path: path) })
}
