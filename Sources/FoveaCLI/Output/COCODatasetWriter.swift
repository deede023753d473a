// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaGeometry
import FoveaSystem

/// A whole COCO file of its own: images, annotations with their scores, and categories.
///
/// Images are numbered from 1 in the order of the input, failed ones included, so that a later success changes no other
/// number; categories are the model's classes, numbered from 1. Annotations come first in the text, because they are
/// written as photos finish: only a line for each image stays in memory.
///
/// **Source:** cocodataset.org, "Data format", object detection; `score` as in "Results format".
struct COCODatasetWriter: RecordWriter {
  private let classNames: ClassNames
  /// Made with the first photo that succeeds: the model is loaded then.
  private var classes: YOLOClasses?
  /// The categories that annotations have.
  private var used: Set<Int> = []
  private var images: [String] = []
  private var records = 0
  private var annotations = 0
  private var refused = 0

  init(classNames: ClassNames) { self.classNames = classNames }

  mutating func header() -> String {
    var json = JSONText()
    json.object { json in
      json.member("description", "Objects that fovea \(Version.fovea) has found")
    }
    return "{\"info\": \(json.text), \"licenses\": [],\n\"annotations\": ["
  }

  mutating func text(for record: Record) -> String {
    records += 1
    guard case .success(let findings) = record.result, case .objects(let objects) = findings.content
    else { return "" }
    images.append(image(record.name, findings.size))
    var text = ""
    for object in objects {
      guard let category = category(of: object) else {
        refused += 1
        continue
      }
      text += (annotations == 0 ? "\n" : ",\n") + annotation(object, category: category)
    }
    return text
  }

  mutating func footer() -> String {
    let classes = classes ?? YOLOClasses(classNames.known)
    let categories = classes.names.indices.filter { used.contains($0 + 1) || classes.names[$0] != "???" }
    return (annotations == 0 ? "]" : "\n]") + ",\n\"images\": [" + lines(images) + "],\n\"categories\": ["
      + lines(categories.map { category($0 + 1, classes.names[$0]) }) + "]}\n"
  }

  var notes: [String] {
    refused == 0
      ? []
      : [
        "left out: \(DecimalText.counted(refused, "object of a class", "objects of classes")) that cannot be"
      ]
  }

  private func lines(_ entries: [String]) -> String {
    entries.isEmpty ? "" : "\n" + entries.joined(separator: ",\n") + "\n"
  }

  private func image(_ name: ImageName, _ size: PixelSize) -> String {
    var json = JSONText(capacity: 128)
    json.object { json in
      json.member("id", records)
      json.member("file_name", name.text)
      if let bytes = name.base64 { json.member("file_name_bytes", bytes) }
      json.member("width", size.width)
      json.member("height", size.height)
    }
    return json.text
  }

  private mutating func annotation(_ object: DetectedObject, category: Int) -> String {
    annotations += 1
    used.insert(category)
    var json = JSONText()
    json.object { json in
      json.member("id", annotations)
      json.member("image_id", records)
      json.member("category_id", category)
      json.key("bbox")
      json.array { json in
        for edge in [object.box.minX, object.box.minY, object.box.width, object.box.height] {
          json.number(edge, places: 2)
        }
      }
      json.member("area", object.box.width * object.box.height, places: 2)
      json.key("segmentation")
      json.array { _ in }
      json.member("iscrowd", 0)
      json.member("score", Double(object.score), places: 6)
    }
    return json.text
  }

  private func category(_ id: Int, _ name: String) -> String {
    var json = JSONText()
    json.object { json in
      json.member("id", id)
      json.member("name", name)
      json.member("supercategory", "")
    }
    return json.text
  }

  /// The number of an object's category; nil for a class that no model has.
  private mutating func category(of object: DetectedObject) -> Int? {
    var known = classes ?? YOLOClasses(classNames.known)
    defer { classes = known }
    return (try? known.number(of: object)).map { $0 + 1 }
  }
}
