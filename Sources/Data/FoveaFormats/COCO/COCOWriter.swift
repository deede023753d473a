// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
import FoveaGeometry

/// COCO's results format: one array of boxes, with masks and keypoints if there are any, and with image and
/// category ids, as evaluators read it.
///
/// `COCODetections.read(path:)` reads it.
///
/// **Source:** cocodataset.org, "Results format", bounding boxes, segmentation and keypoints.
public struct COCOWriter: DetectionWriter {
  /// The form of masks; run lengths by default.
  public var masks = MaskForm.rle
  private let index: COCOIndex
  /// The first image with each id.
  private var written: [Int: String] = [:]
  private var isFirst = true
  private var unknownLabels: Set<String> = []
  private var unknownImages = 0
  private var imagesByName = 0
  /// The images whose ids were already used, each with the image that used it.
  private var repeated: [(image: String, first: String)] = []

  /// Creates a writer; skips images and classes that `index` does not list, and images whose id is already
  /// used, and counts them in ``notes``.
  public init(index: COCOIndex) { self.index = index }

  /// Returns the text before the first record.
  public mutating func header() -> String { "[" }

  /// Returns the lines of a record.
  public mutating func text(for record: DetectionRecord) -> String {
    guard case .success(let findings) = record.result, case .objects(let objects) = findings.content
    else { return "" }
    guard let (image, isByName, _) = index.image(of: record.image) else {
      unknownImages += 1
      return ""
    }
    let first = written[image, default: record.image]
    guard PathEnds.parts(first) == PathEnds.parts(record.image) else {
      repeated.append((image: record.image, first: first))
      return ""
    }
    written[image] = first
    if isByName { imagesByName += 1 }
    var text = ""
    for object in objects {
      let label = object.labels.first?.text ?? ""
      guard let category = index.category(of: label) else {
        unknownLabels.insert(label)
        continue
      }
      let line = JSONText.text { json in
        json.member("image_id", image)
        json.member("category_id", category)
        json.member("bbox", object.box.corner) { $0.number($1, places: 2) }
        WrittenMask(object, in: findings.size, as: masks)?.appendSegmentation(to: &json)
        WrittenKeypoints(object)?.appendScores(to: &json)
        json.member("score", Double(object.score), places: 6)
      }
      text += (isFirst ? "\n" : ",\n") + line
      isFirst = false
    }
    return text
  }

  /// Returns the text after the last record.
  public mutating func footer() -> String { isFirst ? "]\n" : "\n]\n" }

  /// Notes on what was left out or is in doubt, one line each.
  public var notes: [String] {
    var notes: [String] = []
    if !unknownLabels.isEmpty {
      let names = unknownLabels.sorted().map { $0.isEmpty ? "(no label)" : $0.printable }
      notes.append(
        "labels without a category in the instances file, left out: " + names.joined(separator: ", "))
    }
    if unknownImages > 0 {
      notes.append(
        unknownImages == 1
          ? "1 image is not in the instances file; its objects were left out"
          : "\(unknownImages) images are not in the instances file; their objects were left out")
    }
    if let (image, first) = repeated.first {
      let names = "'\(image.printable)' and '\(first.printable)'"
      notes.append(
        repeated.count == 1
          ? "1 image has the id of another in the instances file (\(names)); its objects were left out"
          : "\(repeated.count) images have the ids of others in the instances file, such as \(names); "
            + "their objects were left out")
    }
    if imagesByName > 0 {
      notes.append(
        imagesByName == 1
          ? "1 image was matched by file name only; its folder differs in the instances file"
          : "\(imagesByName) images were matched by file name only; their folders differ in the "
            + "instances file")
    }
    return notes
  }
}
