// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaGeometry

/// A complete COCO file: images, annotations with their scores, and categories.
///
/// Images are numbered from 1 in input order, including failed ones, so that a later success does not change
/// other numbers; categories are the model's classes, numbered from 1. Annotations come first because they
/// are written as photos finish, so that only one line per image is kept in memory. `segmentation` and `area`
/// are those of an object's mask; without one, `segmentation` is empty and `area` is that of the box. A mask
/// without a pixel in the image has run lengths of no pixel and the area 0. `keypoints` are those of an
/// object that has them, and their names and skeleton are in its category.
///
/// `COCOGroundTruth(path:)` reads it.
///
/// **Source:** cocodataset.org, "Data format", object and keypoint detection; `score` as in "Results format".
public struct COCODatasetWriter: DetectionWriter {
  /// The form of masks; run lengths by default.
  public var masks = MaskForm.rle
  /// The least score of a visible keypoint; 0.3 by default.
  public var keypointThreshold: Float = 0.3
  private let names: SharedNames
  private let author: String
  /// Created with the first photo that succeeds, when the model is loaded.
  private var classes: YOLOClasses?
  /// The categories that have annotations.
  private var used: Set<Int> = []
  /// The number of keypoints of the objects of a category; those of the first object with keypoints.
  private var keypointCounts: [Int: Int] = [:]
  private var images: [String] = []
  private var records = 0
  private var annotations = 0
  private var refused = 0

  /// Creates a writer.
  /// - Parameters:
  ///   - classNames: The model's classes by index, as `ObjectDetector.classNames()` returns them.
  ///   - author: The program that found the objects, for the file's description; "Fovea" by default.
  public init(classNames: [String], author: String = "Fovea") {
    self.init(SharedNames(), author: author)
    names.set(classNames)
  }

  init(_ names: SharedNames, author: String) {
    self.names = names
    self.author = author
  }

  /// Returns the text before the first record.
  public mutating func header() -> String {
    let info = JSONText.text { $0.member("description", "Objects found by \(author)") }
    return "{\"info\": \(info), \"licenses\": [],\n\"annotations\": ["
  }

  /// Returns the lines of a record.
  public mutating func text(for record: DetectionRecord) -> String {
    records += 1
    guard case .success(let findings) = record.result, case .objects(let objects) = findings.content
    else { return "" }
    images.append(image(record.name, findings))
    var text = ""
    for object in objects {
      guard let category = category(of: object) else {
        refused += 1
        continue
      }
      text += (annotations == 0 ? "\n" : ",\n") + annotation(object, category: category, findings.size)
    }
    return text
  }

  /// Returns the text after the last record.
  public mutating func footer() -> String {
    let classes = classes ?? YOLOClasses(names.classes)
    let categories = classes.names.indices.filter { used.contains($0 + 1) || classes.names[$0] != "???" }
    return (annotations == 0 ? "]" : "\n]") + ",\n\"images\": [" + lines(images) + "],\n\"categories\": ["
      + lines(categories.map { category($0 + 1, classes.names[$0]) }) + "]}\n"
  }

  /// Notes on objects that were left out, one line each.
  public var notes: [String] {
    refused == 0
      ? []
      : [
        "left out: \(DecimalText.counted(refused, "object", "objects")) with an impossible class"
      ]
  }

  private func lines(_ entries: [String]) -> String {
    entries.isEmpty ? "" : "\n" + entries.joined(separator: ",\n") + "\n"
  }

  /// Returns the entry of an image, with the orientation of one that EXIF rotates: COCO has no member for it,
  /// and its readers ignore it.
  private func image(_ name: ImageName, _ findings: DetectionRecord.Findings) -> String {
    JSONText.text(capacity: 128) { json in
      json.member("id", records)
      json.member("file_name", name.text)
      if let bytes = name.base64 { json.member("file_name_bytes", bytes) }
      json.member("width", findings.size.width)
      json.member("height", findings.size.height)
      if findings.orientation != .up {
        json.member("orientation", findings.orientation.name)
        if findings.space == .upright { json.member("space", "upright") }
      }
    }
  }

  private mutating func annotation(
    _ object: DetectedObject, category: Int, _ size: PixelSize
  ) -> String {
    annotations += 1
    used.insert(category)
    let keypoints = WrittenKeypoints(object)
    if let keypoints, keypointCounts[category] == nil { keypointCounts[category] = keypoints.count }
    return JSONText.text { json in
      json.member("id", annotations)
      json.member("image_id", records)
      json.member("category_id", category)
      json.member("bbox", object.box.corner) { $0.number($1, places: 2) }
      if let mask = WrittenMask(object, in: size, as: masks) {
        json.member("area", mask.area())
        mask.appendSegmentation(to: &json)
      } else {
        json.member("area", object.box.width * object.box.height, places: 2)
        json.member("segmentation", [Double]())
      }
      keypoints?.appendLabels(threshold: keypointThreshold, to: &json)
      json.member("iscrowd", 0)
      json.member("score", Double(object.score), places: 6)
    }
  }

  private func category(_ id: Int, _ name: String) -> String {
    JSONText.text { json in
      json.member("id", id)
      json.member("name", name)
      json.member("supercategory", "")
      if let count = keypointCounts[id] { WrittenKeypoints.appendCategory(count, name, to: &json) }
    }
  }

  /// Returns the number of an object's category; nil for a class index that no model has.
  private mutating func category(of object: DetectedObject) -> Int? {
    var known = classes ?? YOLOClasses(names.classes)
    defer { classes = known }
    return (try? known.number(of: object)).map { $0 + 1 }
  }
}

extension DetectionFormat {
  /// ``COCOWriter`` if there is a list of ids, otherwise ``COCODatasetWriter``.
  package static let coco = DetectionFormat(
    "coco", isWhole: true, isForBoxes: true, shapes: [.mask, .keypoints],
    output: .file { settings in
      if let index = settings.cocoIndex {
        var writer = COCOWriter(index: index)
        writer.masks = settings.masks
        return writer
      }
      var writer = COCODatasetWriter(settings.names, author: settings.author)
      writer.masks = settings.masks
      writer.keypointThreshold = settings.keypointThreshold
      return writer
    })
}
