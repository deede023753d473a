// SPDX-License-Identifier: Apache-2.0

import Fovea

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
  /// Reads `images` and `categories`; everything else, annotations above all, is skipped unread.
  init(instances bytes: [UInt8], name: String) throws(FoveaError) {
    do throws(JSONReader.Failure) {
      var reader = JSONReader(bytes)
      try reader.object { (reader, key) throws(JSONReader.Failure) in
        switch key {
        case "images": images = try COCOIndex.ids(from: &reader, name: "file_name")
        case "categories": categories = try COCOIndex.ids(from: &reader, name: "name")
        default: try reader.skipValue()
        }
      }
      try reader.end()
    } catch {
      throw FoveaError(
        code: .init(rawValue: "coco-ids-invalid"),
        message: "'\(name.printable)' is not valid JSON at byte \(error.offset): \(error.reason)",
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

  private static func ids(from reader: inout JSONReader, name: String) throws(JSONReader.Failure)
    -> [String: Int]
  {
    var ids: [String: Int] = [:]
    try reader.array { reader throws(JSONReader.Failure) in
      var id: Int?
      var text: String?
      try reader.object { (reader, key) throws(JSONReader.Failure) in
        switch key {
        case "id": id = try reader.integer()
        case name: text = try reader.string()
        default: try reader.skipValue()
        }
      }
      if let id, let text { ids[text] = id }
    }
    return ids
  }
}

extension COCOIndex {
  /// Reads an instances file.
  init(file path: String) throws(FoveaError) {
    let file = InputPicture(source: .file(FilePath(path)), relativePath: path)
    let bytes: [UInt8]
    do throws(FoveaError) {
      bytes = try file.bytes(limit: 2 << 30, stop: StopSignal(listensToProcess: true))
    } catch {
      throw FoveaError(
        code: error.code, message: "'\(path.printable)' \(error.message)", remedy: error.remedy,
        cause: error)
    }
    try self.init(instances: bytes, name: path)
  }
}
