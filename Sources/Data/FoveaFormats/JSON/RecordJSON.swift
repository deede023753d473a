// SPDX-License-Identifier: Apache-2.0

import Fovea
package import FoveaCore
import FoveaDecoding
package import FoveaGeometry

/// The JSON object of one image, shared by the `json` and `jsonl` formats.
enum RecordJSON {
  /// Returns the object on one line, with a newline if `endsLine`; `members` are appended to the object.
  static func line(
    for record: DetectionRecord, masks: MaskForm = .rle, endsLine: Bool = false,
    adding members: (inout JSONText) -> Void = { _ in }
  ) -> String {
    var json = JSONText(capacity: capacity(for: record))
    json.object { json in
      json.member("image", record.image)
      if let bytes = record.name.base64 { json.member("imageBytes", bytes) }
      switch record.result {
      case .success(let findings): append(findings, masks, to: &json)
      case .failure(let error): append(error, to: &json)
      }
      members(&json)
    }
    if endsLine { json.endLine() }
    return json.text
  }

  /// Returns the approximate size of the object in bytes, so that memory is allocated once.
  private static func capacity(for record: DetectionRecord) -> Int {
    guard case .success(let findings) = record.result else { return 512 }
    return switch findings.content {
    case .objects(let objects): 384 + 208 * objects.count
    case .labels(let labels): 384 + 80 * labels.count
    case .map: 4_096
    }
  }

  private static func append(_ error: FoveaError, to json: inout JSONText) {
    json.member("error") { json in
      json.member("code", error.code.rawValue)
      json.member("message", error.message)
      json.member("remedy", error.remedy.description)
    }
  }

  fileprivate static func append(
    _ findings: DetectionRecord.Findings, _ masks: MaskForm, to json: inout JSONText
  ) {
    json.member("width", findings.size.width)
    json.member("height", findings.size.height)
    json.member("orientation", findings.orientation.name)
    if findings.space != .stored { json.member("space", findings.space.rawValue) }
    switch findings.content {
    case .objects(let objects):
      json.member("objects", objects) { json, object in
        append(object, in: findings.size, masks, to: &json)
      }
    case .labels(let labels): append(labels, to: &json)
    case .map(let map): append(map, in: findings.size, masks, to: &json)
    }
    json.member("milliseconds") { json in
      append(stagesOf: findings.timings, to: &json)
      json.member("total", findings.timings.total.milliseconds, places: 3)
    }
  }

  /// Appends the time of each stage, without the total.
  static func append(stagesOf timings: StageTimings, to json: inout JSONText) {
    json.member("decode", timings.decode.milliseconds, places: 3)
    json.member("prepare", timings.prepare.milliseconds, places: 3)
    json.member("detect", timings.detect.milliseconds, places: 3)
    json.member("classify", timings.classify.milliseconds, places: 3)
  }

  /// Appends one object of an image or a frame; `members` are appended to it.
  static func append(
    _ object: DetectedObject, in size: PixelSize?, _ masks: MaskForm, to json: inout JSONText,
    adding members: (inout JSONText) -> Void = { _ in }
  ) {
    json.object { json in
      json.member("box") { json in
        json.member("x", object.box.minX, places: 2)
        json.member("y", object.box.minY, places: 2)
        json.member("width", object.box.width, places: 2)
        json.member("height", object.box.height, places: 2)
      }
      json.member("score", Double(object.score), places: 6)
      json.member("trackingID", object.trackingID)
      append(object.labels, to: &json)
      if !object.keypoints.isEmpty {
        let scores = object.keypointScores
        json.objects("keypoints", Array(object.keypoints.enumerated())) { json, point in
          json.member("x", point.element.x, places: 2)
          json.member("y", point.element.y, places: 2)
          if scores.indices.contains(point.offset) {
            json.member("score", Double(scores[point.offset]), places: 6)
          }
        }
      }
      WrittenMask(object, in: size, as: masks)?.append(to: &json)
      if let box = object.orientedBox { append(box, to: &json) }
      members(&json)
    }
  }

  private static func append(_ box: OrientedBox, to json: inout JSONText) {
    json.member("orientedBox") { json in
      json.member("x", box.center.x, places: 2)
      json.member("y", box.center.y, places: 2)
      json.member("width", box.width, places: 2)
      json.member("height", box.height, places: 2)
      json.member("degrees", box.degrees, places: 3)
    }
  }

  private static func append(_ labels: [Label], to json: inout JSONText) {
    json.objects("labels", labels) { json, label in
      json.member("text", label.text)
      json.member("index", label.index)
      json.member("confidence", Double(label.confidence), places: 6)
    }
  }
}

extension RecordJSON {
  /// Appends the classes of a map with their masks, the largest share first.
  fileprivate static func append(
    _ map: SegmentationMap, in size: PixelSize, _ masks: MaskForm, to json: inout JSONText
  ) {
    json.objects("classes", map.shares) { json, part in
      json.member("text", part.label)
      json.member("index", part.classIndex)
      json.member("share", part.share, places: 6)
      let mask = masks == .none ? nil : map.mask(ofClass: part.classIndex)
      WrittenMask(mask, in: size, as: masks)?.append(to: &json)
    }
  }
}

extension DetectionRecord {
  /// Returns the line that ``JSONLinesWriter`` writes, with a newline if `endsLine`; `members` are appended
  /// to the object.
  package func json(
    endsLine: Bool, masks: MaskForm = .rle, adding members: (inout JSONText) -> Void
  ) -> String {
    RecordJSON.line(for: self, masks: masks, endsLine: endsLine, adding: members)
  }
}

extension DetectionRecord.Findings {
  /// Appends the members of an image's JSON object that follow its name, in their order.
  package func appendMembers(to json: inout JSONText, masks: MaskForm = .rle) {
    RecordJSON.append(self, masks, to: &json)
  }
}

extension OrientedBox {
  /// The rotation in degrees, clockwise as seen on the screen.
  var degrees: Double { angle * 180 / .pi }
}

extension BoundingBox {
  /// The upper left corner and the size, as COCO writes a box.
  package var corner: [Double] { [minX, minY, width, height] }
}
