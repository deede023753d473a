// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaMetadata

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
  /// The parts of an instances file that are needed; everything else, annotations above all, is skipped.
  private struct Instances: Decodable {
    var images: [Image]?
    var categories: [Category]?

    struct Image: Decodable {
      var id: Int?
      var name: String?
      enum CodingKeys: String, CodingKey {
        case id
        case name = "file_name"
      }
    }

    struct Category: Decodable {
      var id: Int?
      var name: String?
    }
  }

  /// Reads `images` and `categories`.
  init(instances bytes: [UInt8], name: String) throws(FoveaError) {
    do {
      let instances = try UntrustedJSON().decode(Instances.self, from: bytes[...])
      for image in instances.images ?? [] {
        if let id = image.id, let name = image.name { images[name] = id }
      }
      for category in instances.categories ?? [] {
        if let id = category.id, let name = category.name { categories[name] = id }
      }
    } catch {
      let place = error.path.isEmpty ? "" : " at '\(error.path)'"
      throw FoveaError(
        code: .init(rawValue: "coco-ids-invalid"),
        message: "'\(name.printable)' is not a COCO instances file\(place): \(error.reason)",
        remedy: "Name the instances.json that lists the images and categories")
    }
    guard !images.isEmpty, !categories.isEmpty else {
      throw FoveaError(
        code: .init(rawValue: "coco-ids-empty"),
        message:
          "'\(name.printable)' lists \(images.count) images and \(categories.count) categories, "
          + "at least one of each is needed",
        remedy: "Name a COCO instances file with \"images\" and \"categories\"")
    }
  }
}

extension COCOIndex {
  /// 512 MiB, more than COCO's own training set has.
  ///
  /// The decoder notes every value of the annotations before it skips them, which takes about seven times the file's
  /// size, and 25 times for a list of single digits.
  private static let maximumBytes = 1 << 29

  /// Reads an instances file.
  init(file path: String) throws(FoveaError) {
    let file = InputPicture(source: .file(FilePath(path)), relativePath: path)
    let bytes: [UInt8]
    do throws(FoveaError) {
      bytes = try file.bytes(limit: COCOIndex.maximumBytes, stop: StopSignal(listensToProcess: true))
    } catch {
      throw FoveaError(
        code: error.code, message: "'\(path.printable)' \(error.message)", remedy: error.remedy,
        cause: error)
    }
    try self.init(instances: bytes, name: path)
  }
}
