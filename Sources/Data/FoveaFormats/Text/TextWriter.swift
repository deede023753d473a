// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
import FoveaGeometry

/// Readable results: the image's name and size, then one aligned line per object, label or class.
public struct TextWriter: DetectionWriter {
  private let style: TextStyle

  /// Creates a writer; `isColored` is for terminals.
  public init(isColored: Bool = false) { style = TextStyle(isColored: isColored) }

  /// Returns the lines of a record.
  public mutating func text(for record: DetectionRecord) -> String {
    guard case .success(let findings) = record.result else { return "" }
    let size = "\(findings.size.width) × \(findings.size.height)"
    var text = style.strong(record.image.printable) + "  " + style.faint(size) + "\n"
    switch findings.content {
    case .objects(let objects): text += TextWriter.lines(of: objects, style: style)
    case .labels(let labels): text += lines(of: labels)
    case .map(let map): text += lines(of: map.shares)
    }
    return text
  }

  /// Returns one aligned line per object, with its identity if a tracker assigned one.
  static func lines(of objects: [DetectedObject], style: TextStyle) -> String {
    if objects.isEmpty { return "  no objects\n" }
    let rows = objects.map { object in
      [
        object.trackingID.map { "#\($0)" } ?? "",
        object.labels.first.map(TextWriter.name) ?? "object",
        DecimalText.fixed(Double(object.labels.first?.confidence ?? object.score), places: 2),
        DecimalText.fixed(object.box.minX, places: 1), DecimalText.fixed(object.box.minY, places: 1),
        DecimalText.fixed(object.box.width, places: 1), DecimalText.fixed(object.box.height, places: 1),
      ]
    }
    let widths = (0..<7).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return zip(objects, rows).map { object, row in
      let cells = (0..<7).map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        return column == 1 ? style.strong(row[1]) + padding : padding + row[column]
      }
      let identity = widths[0] == 0 ? "" : cells[0] + "  "
      // The number next to the label is the classifier's confidence, not the detector's score.
      let isClassified = object.labels.first.map { $0.confidence != object.score } ?? false
      let score =
        isClassified ? style.faint("  box \(DecimalText.fixed(Double(object.score), places: 2))") : ""
      return "  \(identity)\(cells[1])  \(cells[2])  at \(cells[3]), \(cells[4])"
        + "  size \(cells[5]) × \(cells[6])\(score)\(shapes(of: object, style))\n"
    }.joined()
  }

  /// Returns the number of keypoints, the share of the box that the mask covers, and the rotation; empty for
  /// an object with none of them.
  private static func shapes(of object: DetectedObject, _ style: TextStyle) -> String {
    var text = object.keypoints.isEmpty ? "" : "  \(object.keypoints.count) points"
    if let mask = object.mask {
      let share = object.box.isEmpty ? 0 : min(Double(mask.area) / (object.box.width * object.box.height), 1)
      text += "  mask \(DecimalText.fixed(share * 100, places: 0)) %"
    }
    if let box = object.orientedBox { text += "  rotated \(DecimalText.fixed(box.degrees, places: 0))°" }
    return text.isEmpty ? "" : style.faint(text)
  }

  private func lines(of labels: [Label]) -> String {
    if labels.isEmpty { return "  no labels\n" }
    let names = labels.map(TextWriter.name)
    let width = names.map(\.count).max() ?? 0
    return zip(names, labels).map { name, label in
      let padding = String(repeating: " ", count: width - name.count)
      return "  " + style.strong(name) + padding
        + "  \(DecimalText.fixed(Double(label.confidence), places: 2))\n"
    }.joined()
  }

  private func lines(of shares: [SegmentationMap.ClassShare]) -> String {
    if shares.isEmpty { return "  no classes\n" }
    let names = shares.map { $0.label?.printable ?? "class \($0.classIndex)" }
    let percents = shares.map { DecimalText.fixed($0.share * 100, places: 1) }
    let widths = (names.map(\.count).max() ?? 0, percents.map(\.count).max() ?? 0)
    return zip(names, percents).map { name, percent in
      let (gap, indent) = (widths.0 - name.count, widths.1 - percent.count)
      return "  " + style.strong(name) + String(repeating: " ", count: gap + indent) + "  \(percent) %\n"
    }.joined()
  }

  private static func name(of label: Label) -> String { label.text?.printable ?? "class \(label.index)" }
}

extension DetectionFormat {
  /// Readable text: ``TextWriter``.
  package static let text = DetectionFormat(
    "text", holdsMaps: true, shapes: ObjectShape.allCases,
    output: .file { TextWriter(isColored: $0.isColored) })
}

/// Readable results: a line for each frame with objects, then one aligned line per object.
package struct FrameTextWriter: FrameWriter {
  private let style: TextStyle

  /// Creates a writer; `isColored` is for terminals.
  package init(isColored: Bool = false) { style = TextStyle(isColored: isColored) }

  /// Returns the lines of a frame.
  package func text(for record: FrameRecord) -> String {
    guard !record.objects.isEmpty else { return "" }
    var facts: [String] = []
    if let seconds = record.seconds { facts.append("\(DecimalText.fixed(seconds, places: 3)) s") }
    if !record.isDetected { facts.append(record.isWatched ? "moved" : "held") }
    return style.strong("frame \(record.number)") + style.faint(facts.map { "  " + $0 }.joined()) + "\n"
      + TextWriter.lines(of: record.objects, style: style)
  }
}

extension FrameFormat {
  /// Readable text: ``FrameTextWriter``.
  package static let text = FrameFormat("text", shapes: ObjectShape.allCases) {
    FrameTextWriter(isColored: $0.isColored)
  }
}

/// Colour for terminals, plain text elsewhere.
struct TextStyle: Sendable {
  let isColored: Bool

  func strong(_ text: String) -> String { wrap(text, "1") }
  func faint(_ text: String) -> String { wrap(text, "2") }

  private func wrap(_ text: String, _ code: String) -> String {
    isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
