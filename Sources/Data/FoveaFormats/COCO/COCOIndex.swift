// SPDX-License-Identifier: Apache-2.0

public import Fovea
import FoveaCore

/// The ids of a COCO instances file: images by file name, categories by name.
public struct COCOIndex: Sendable {
  /// The ids of the images, by their file names.
  package private(set) var images: [String: Int] = [:]
  /// The ids of the categories, by their names.
  package private(set) var categories: [String: Int] = [:]
  private var paths = PathIndex([:])
  private var claims = ImageClaims()

  /// Reads an instances file of any length; skips the annotations, which are more than nine tenths of it.
  /// - Throws: `input-unreadable`, `coco-ids-invalid` or `coco-ids-empty`.
  public init(file path: String) throws(FoveaError) {
    let source: ByteSource
    do throws(SystemError) { source = try ByteSource(path: path) } catch {
      throw Self.unreadable(path, "cannot be opened: \(error.message)")
    }
    try self.init(name: path) { () throws(JSONFailure) in try JSONReader(source, name: path) }
  }

  /// Reads the text of an instances file; `name` is its name in messages.
  /// - Throws: `coco-ids-invalid` or `coco-ids-empty`.
  public init(instances bytes: [UInt8], name: String) throws(FoveaError) {
    try self.init(name: name) { JSONReader(bytes: bytes, name: name) }
  }

  /// Returns the id of an image by its path as given, otherwise by its file name or by the longest common
  /// suffix with a listed path.
  package func imageID(of path: String) -> Int? { image(of: path)?.value }

  /// Returns the image that a path refers to; nil if there is none, or another path shares more with the
  /// listed one.
  func image(of path: String) -> PathIndex.Found? {
    guard let found = paths.find(path), claims.counts(found) else { return nil }
    return found
  }

  /// Adds an image to look up, so that an image from another folder is not mistaken for it.
  package mutating func add(_ path: String) {
    if let found = paths.find(path) { claims.add(path, found) }
  }

  /// Throws if two images may both be the same one of the file.
  /// - Throws: `coco-ids-invalid`.
  package func checkImages() throws(FoveaError) {
    guard let (id, path, rival) = claims.conflict else { return }
    let name = images.filter { $0.value == id }.map(\.key).min() ?? ""
    throw FoveaError(
      .cocoIdsInvalid,
      "'\(path.printable)' and '\(rival.printable)' may both be '\(name.printable)' in the instances file",
      remedy: "Name the images of one folder, or give each a file_name with its folder")
  }

  /// Returns the id of the category that a label names; nil if there is none.
  ///
  /// Names of Darknet's label list, the origin of most YOLO label files, map to COCO's names if they differ.
  package func category(of label: String) -> Int? {
    categories[label] ?? COCOIndex.darknetNames[label].flatMap { categories[$0] }
  }

  /// **Source:** Darknet, `data/coco.names`.
  private static let darknetNames = [
    "motorbike": "motorcycle", "aeroplane": "airplane", "sofa": "couch", "pottedplant": "potted plant",
    "diningtable": "dining table", "tvmonitor": "tv",
  ]

  private init(name: String, _ open: () throws(JSONFailure) -> JSONReader) throws(FoveaError) {
    var place = ""
    do throws(JSONFailure) {
      var reader = try open()
      try read(&reader, &place)
    } catch {
      if error.kind == .unreadable { throw Self.unreadable(name, "cannot be read: \(error.reason)") }
      let place = place.isEmpty ? "" : " at '\(place)'"
      throw FoveaError(
        .cocoIdsInvalid,
        "'\(name.printable)' is not a COCO instances file\(place): \(error.reason)",
        remedy: "Name the instances.json that lists the images and categories")
    }
    guard !images.isEmpty, !categories.isEmpty else {
      throw FoveaError(
        .cocoIdsEmpty,
        "'\(name.printable)' lists \(DecimalText.counted(images.count, "image", "images")) and "
          + "\(DecimalText.counted(categories.count, "category", "categories")), "
          + "but at least one of each is needed",
        remedy: "Name a COCO instances file with \"images\" and \"categories\"")
    }
    paths = PathIndex(images)
  }

  private static func unreadable(_ path: String, _ reason: String) -> FoveaError {
    FoveaError(
      .inputUnreadable, "'\(path.printable)' \(reason)",
      remedy: "Check the path and its permissions")
  }

  private static let imagesKey = JSONKey("images")
  private static let categoriesKey = JSONKey("categories")
  private static let idKey = JSONKey("id")
  private static let fileNameKey = JSONKey("file_name")
  private static let nameKey = JSONKey("name")
  /// The maximum length of an image's or category's entry.
  private static let entryLimit = 1 << 16

  /// Reads the two lists; `place` is the current position, as in "images[3].id".
  private mutating func read(_ reader: inout JSONReader, _ place: inout String) throws(JSONFailure) {
    try reader.expect(UInt8(ascii: "{"), "an object")
    var members = DatasetMembers()
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      try members.add(key, &reader)
      switch key {
      case Self.imagesKey: try Self.entries(&reader, "images", Self.fileNameKey, &images, &place)
      case Self.categoriesKey: try Self.entries(&reader, "categories", Self.nameKey, &categories, &place)
      default: try reader.skip()
      }
      place = ""
    }
    try reader.expectEnd()
    try members.check(reader.name)
  }

  /// Reads the ids of one list by name; skips elements that are not objects with an id.
  private static func entries(
    _ reader: inout JSONReader, _ list: String, _ nameKey: JSONKey, _ ids: inout [String: Int],
    _ place: inout String
  ) throws(JSONFailure) {
    guard try reader.take(UInt8(ascii: "[")) else { return try reader.skip() }
    var isFirst = true
    var number = 0
    while try reader.nextElement(&isFirst) {
      defer { number += 1 }
      guard try reader.take(UInt8(ascii: "{")) else {
        try reader.skip()
        continue
      }
      let start = reader.offset
      var id: Int?
      var name: String?
      var isFirstKey = true
      while let key = try reader.nextKey(&isFirstKey) {
        if key == idKey {
          place = "\(list)[\(number)].id"
          id = try reader.identifier("the id")
        } else if key == nameKey {
          name = try reader.optionalString()
        } else {
          try reader.skip()
        }
        place = "\(list)[\(number)]"
        guard reader.offset - start < entryLimit else {
          throw JSONFailure(.mismatch, reader.name, "The entry is longer than \(entryLimit) bytes")
        }
      }
      place = ""
      if let id, let name { ids[name] = id }
    }
  }
}
