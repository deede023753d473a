// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
public import FoveaEvaluation
import FoveaGeometry

/// Reads annotations in the form of the Pascal VOC challenges, as ``VOCDocument`` writes them.
///
/// Reads the image's size, its `orientation`, and the name, box and `confidence` of each object; ignores
/// parts of objects and everything else that a tool adds. Pixels count from 1 in the file and from 0 in the
/// record; the score is 1 if there is none, and an unreadable one is an error.
public struct VOCReader: Sendable {
  /// Creates a reader.
  public init() {}

  /// Reads one annotation.
  /// - Parameters:
  ///   - text: The bytes of the file.
  ///   - name: The name in messages.
  /// - Returns: The objects; the image's name is its `path`, otherwise its `filename`. Classes are numbered
  ///   in the order of their first occurrence in the file.
  /// - Throws: `EvaluationError` `invalidDetections`.
  public func read(text: [UInt8], name: String) throws(EvaluationError) -> DetectionRecord {
    try read(text: text, name: name, scores: .optional)
  }

  /// Reads one annotation whose scores follow a rule.
  func read(text: [UInt8], name: String, scores rule: ScoreRule) throws(EvaluationError) -> DetectionRecord {
    var elements = XMLElements(text)
    var image = ""
    var size = PixelSize(width: 0, height: 0)
    var orientation: Orientation?
    var isStored = false
    var objects: [DetectedObject] = []
    var classes: [String] = []
    var unscoredCount = 0
    while let element = elements.next() {
      switch element.path {
      case ["annotation", "path"]: image = element.text
      case ["annotation", "filename"]: if image.isEmpty { image = element.text }
      case ["annotation", "size", "width"]: size.width = Int(element.text.trimmed) ?? 0
      case ["annotation", "size", "height"]: size.height = Int(element.text.trimmed) ?? 0
      case ["annotation", "orientation"]: orientation = Orientation(name: element.text.trimmed)
      case ["annotation", "space"]: isStored = element.text.trimmed == "stored"
      case ["annotation", "object"]:
        guard let object = Self.object(element.children, &classes) else {
          throw Self.invalid(name, "object \(objects.count + 1) has no name or no bndbox")
        }
        if let problem = Self.problem(ofScore: element.children["confidence"], rule) {
          throw Self.invalid(name, "object \(objects.count + 1)\(problem)")
        }
        if element.children["confidence"] == nil { unscoredCount += 1 }
        objects.append(object)
      default: break
      }
    }
    guard elements.isWhole, elements.root == "annotation" else {
      throw Self.invalid(name, "there is no complete annotation element")
    }
    var record = DetectionRecord(
      image: image,
      result: .success(
        DetectionRecord.Findings(
          size: size, orientation: orientation ?? .up,
          space: orientation == nil || isStored ? .stored : .upright,
          content: .objects(objects))))
    record.unscoredCount = unscoredCount
    return record
  }

  private static func problem(ofScore text: String?, _ rule: ScoreRule) -> String? {
    guard let text = text?.trimmed else { return rule == .needed ? " has no confidence" : nil }
    guard let score = Float(text), score.isFinite else {
      return " has the confidence '\(String(text.prefix(40)).printable)', which is not a number"
    }
    return rule.problem(Double(text) ?? Double(score), name: "confidence").map { ": \($0)" }
  }

  private static func object(_ values: [String: String], _ classes: inout [String]) -> DetectedObject? {
    let edges = ["xmin", "ymin", "xmax", "ymax"].compactMap {
      values["bndbox/" + $0].flatMap { Double($0.trimmed) }
    }
    guard let text = values["name"], edges.count == 4, edges.allSatisfy(\.isFinite) else { return nil }
    let score = values["confidence"].flatMap { Float($0.trimmed) } ?? 1
    let index = classes.firstIndex(of: text) ?? classes.count
    if index == classes.count { classes.append(text) }
    return DetectedObject(
      box: BoundingBox(minX: edges[0] - 1, minY: edges[1] - 1, maxX: edges[2], maxY: edges[3]), score: score,
      labels: [Label(text: text, index: index, confidence: score)])
  }

  private static func invalid(_ name: String, _ reason: String) -> EvaluationError {
    EvaluationError(
      .invalidDetections, "\(name): \(reason)", remedy: "Name a file in the form of Pascal VOC, or correct it"
    )
  }
}

/// The elements of a small XML text, each at its end; ignores attributes, comments and declarations.
private struct XMLElements {
  struct Element {
    /// The names from the root to the element.
    var path: [String]
    var text: String
    /// The strings of the elements inside, by their names joined by "/".
    var children: [String: String]
  }

  private(set) var root: String?
  private let bytes: [UInt8]
  private var at = 0
  private var open: [Element] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether every opened element is closed.
  var isWhole: Bool { open.isEmpty }

  mutating func next() -> Element? {
    while at < bytes.endIndex {
      let start = at
      while at < bytes.endIndex, bytes[at] != UInt8(ascii: "<") { at += 1 }
      if !open.isEmpty { open[open.count - 1].text += XMLText.unescaped(bytes[start..<at]) }
      guard at < bytes.endIndex else { return nil }
      if bytes[at...].starts(with: XMLElements.rawStart) {
        guard let text = rawText() else { return nil }
        if !open.isEmpty { open[open.count - 1].text += String(decoding: text, as: UTF8.self) }
        continue
      }
      let isComment = bytes[at...].starts(with: "<!--".utf8)
      let tagStart = at + 1
      while at < bytes.endIndex,
        bytes[at] != UInt8(ascii: ">") || isComment && !bytes[..<at].suffix(2).elementsEqual("--".utf8)
      { at += 1 }
      guard at < bytes.endIndex else { return nil }
      let tag = bytes[tagStart..<at]
      at += 1
      guard let first = tag.first, first != UInt8(ascii: "!"), first != UInt8(ascii: "?") else { continue }
      if first != UInt8(ascii: "/") {
        let name = tag.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
        let path = (open.last?.path ?? []) + [String(decoding: name, as: UTF8.self)]
        root = root ?? path[0]
        // An annotation is never nested deeper; the open elements make it incomplete.
        guard open.count < 16 else { return nil }
        open.append(Element(path: path, text: "", children: [:]))
        if tag.last != UInt8(ascii: "/") { continue }
      }
      guard let element = open.popLast() else { return nil }
      if !open.isEmpty {
        let name = element.path[element.path.count - 1]
        // Parts such as heads and hands have their own boxes; only the object's box counts.
        if open[open.count - 1].children[name] == nil { open[open.count - 1].children[name] = element.text }
        for (key, value) in element.children {
          open[open.count - 1].children["\(name)/\(key)"] = value
        }
      }
      return element
    }
    return nil
  }

  private static let rawStart = Array("<![CDATA[".utf8)
  private static let rawEnd = Array("]]>".utf8)

  /// Consumes a section of raw text, and returns its content; nil if it does not end.
  private mutating func rawText() -> ArraySlice<UInt8>? {
    let start = at + XMLElements.rawStart.count
    at = start
    while at < bytes.endIndex, !bytes[at...].starts(with: XMLElements.rawEnd) { at += 1 }
    guard at < bytes.endIndex else { return nil }
    defer { at += XMLElements.rawEnd.count }
    return bytes[start..<at]
  }
}

extension String {
  fileprivate var trimmed: String {
    let start = drop { $0.isWhitespace }
    return String(start.reversed().drop { $0.isWhitespace }.reversed())
  }
}
