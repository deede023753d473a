// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaEvaluation
import FoveaFormats

/// The images of a ground truth, each with the map or photo of the same name.
struct MapPairs: Sendable {
  /// The files that belong to the images of the ground truth.
  enum Partner: String, Sendable {
    case map, photo
  }

  /// The images of the ground truth, in natural order.
  let truths: [InputImage]
  /// Notes about files that are left out, as sentences without the final stop.
  private(set) var notes: [String] = []

  private let kind: Partner
  private let folder: String
  /// The maps or photos by their paths in the folder without the extension.
  private var partners: [String: [InputImage]] = [:]

  private static let shownNames = 5

  /// Finds the images of both folders.
  /// - Parameters:
  ///   - groundTruth: The folder of the ground truth.
  ///   - folder: The folder of the maps or photos.
  ///   - kind: The content of the folder: maps or photos.
  ///   - recursive: True to search subfolders of both, too.
  /// - Throws: The error of a folder that cannot be read or has no images; `evaluation-maps-mismatch` if no
  ///   name is in both.
  init(groundTruth: String, _ folder: String, of kind: Partner, recursive: Bool) throws(FoveaError) {
    self.kind = kind
    self.folder = folder
    var notes: [String] = []
    truths = try MapPairs.images(in: groundTruth, recursive: recursive, &notes)
    let found = try MapPairs.images(in: folder, recursive: recursive, &notes)
    for image in found { partners[ResultFile.stem(image.relativePath), default: []].append(image) }
    let names = Set(truths.map { ResultFile.stem($0.relativePath) })
    let strangers = found.filter { !names.contains(ResultFile.stem($0.relativePath)) }
    if strangers.count == found.count, let stranger = found.first, let truth = truths.first {
      throw MapPairs.mismatch(
        "no \(kind) has the name of an image of the ground truth: the first \(kind) is "
          + "'\(stranger.relativePath.printable)', the first image '\(truth.relativePath.printable)'",
        remedy: "Name folders whose files have the same names, apart from the extension")
    }
    if !strangers.isEmpty {
      let list = strangers.prefix(MapPairs.shownNames).map(\.relativePath.printable).joined(separator: ", ")
      notes.append(
        "\(kind)s without ground truth are left out: \(list)"
          + (strangers.count > MapPairs.shownNames ? ", …" : ""))
    }
    self.notes = notes
  }

  /// Returns the map or photo of an image of the ground truth.
  /// - Throws: `evaluation-maps-mismatch` if there is none, or more than one.
  func partner(of truth: InputImage) throws(FoveaError) -> InputImage {
    let found = partners[ResultFile.stem(truth.relativePath)] ?? []
    guard let first = found.first else {
      throw MapPairs.mismatch(
        "'\(folder.printable)' has no \(kind) of this name",
        remedy: "Add the \(kind.rawValue), or remove its ground truth")
    }
    guard found.count == 1 else {
      let names = found.map { "'\($0.relativePath.printable)'" }.joined(separator: " and ")
      throw MapPairs.mismatch(
        "'\(folder.printable)' has \(found.count) \(kind)s of this name: \(names)", remedy: "Keep one of them"
      )
    }
    return first
  }

  /// Returns the error of an image whose size is not that of its ground truth.
  func sizeMismatch(_ found: PixelSize, _ truth: InputImage, _ expected: PixelSize) -> FoveaError {
    MapPairs.mismatch(
      "the \(kind) is \(found) pixels, its ground truth '\(truth.name.printable)' \(expected)",
      remedy: kind == .photo
        ? "Use ground truth in the size of the photo; if it is not rotated by EXIF, add --no-upright"
        : "Make both in the size of the photo; if EXIF does not rotate the ground truth, with --no-upright"
    )
  }

  private static func mismatch(_ message: String, remedy: Advice) -> FoveaError {
    FoveaError(FoveaCode(EvaluationCode.mapsMismatch), message, remedy: remedy)
  }

  private static func images(
    in folder: String, recursive: Bool, _ notes: inout [String]
  ) throws(FoveaError) -> [InputImage] {
    var inputs = InputExpander([folder], recursive: recursive)
    var images: [InputImage] = []
    while let item = inputs.next() {
      switch item {
      case .image(let image): images.append(image)
      case .failure(let name, var error):
        error.subject = name.text
        throw error
      }
    }
    if let note = inputs.search.note { notes.append("\(folder.printable): \(note)") }
    return images
  }
}
