// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaSystem

/// The ids of a COCO instances file: images by file name, categories by name.
struct COCOIndex: Sendable {
  private(set) var images: [String: Int] = [:]
  private(set) var categories: [String: Int] = [:]

  /// The id of an image by its path as given, or else by its file name.
  func imageID(of path: String) -> Int? {
    images[path] ?? images[String(path.split(separator: "/").last ?? "")]
  }
}

extension COCOIndex {
  /// Takes the index that a reader has gathered, or the reason why it could not.
  private init(
    name: String, _ read: (inout COCOInstancesReader) throws(COCOInstancesReader.Failure) -> Void
  ) throws(FoveaError) {
    var reader = COCOInstancesReader()
    do throws(COCOInstancesReader.Failure) {
      try read(&reader)
      try reader.finish()
    } catch {
      let place = error.path.isEmpty ? "" : " at '\(error.path)'"
      throw FoveaError(
        .cocoIdsInvalid,
        "'\(name.printable)' is not a COCO instances file\(place): \(error.reason)",
        remedy: "Name the instances.json that lists the images and categories")
    }
    images = reader.images
    categories = reader.categories
    guard !images.isEmpty, !categories.isEmpty else {
      throw FoveaError(
        .cocoIdsEmpty,

        "'\(name.printable)' lists \(images.count) images and \(categories.count) categories, "
          + "at least one of each is needed",
        remedy: "Name a COCO instances file with \"images\" and \"categories\"")
    }
  }

  /// Reads `images` and `categories`.
  init(instances bytes: [UInt8], name: String) throws(FoveaError) {
    try self.init(name: name) { reader throws(COCOInstancesReader.Failure) in try reader.take(bytes[...]) }
  }

  /// The names of Darknet's label list, which most label files of YOLO models go back to, where COCO's are others.
  ///
  /// **Source:** Darknet, `data/coco.names`.
  private static let darknetNames = [
    "motorbike": "motorcycle", "aeroplane": "airplane", "sofa": "couch", "pottedplant": "potted plant",
    "diningtable": "dining table", "tvmonitor": "tv",
  ]

  /// The id of the category that a label names; nil where there is none.
  func category(of label: String) -> Int? {
    categories[label] ?? COCOIndex.darknetNames[label].flatMap { categories[$0] }
  }

  /// Reads an instances file of any length, a chunk at a time.
  init(file path: String) throws(FoveaError) {
    let file = InputPicture(source: .file(FilePath(path)), relativePath: path)
    var unreadable: FoveaError?
    do throws(FoveaError) {
      try self.init(name: path) { reader throws(COCOInstancesReader.Failure) in
        var invalid: COCOInstancesReader.Failure?
        do throws(FoveaError) {
          try file.chunks(limit: .max, stop: StopSignal(listensToProcess: true)) { chunk in
            do throws(COCOInstancesReader.Failure) { try reader.take(chunk) } catch { invalid = error }
            return invalid == nil
          }
        } catch {
          unreadable = error
        }
        if let invalid { throw invalid }
      }
    } catch {
      guard let unreadable else { throw error }
      throw FoveaError(
        unreadable.code, "'\(path.printable)' \(unreadable.message)",
        remedy: unreadable.remedy,
        cause: unreadable)
    }
  }
}
