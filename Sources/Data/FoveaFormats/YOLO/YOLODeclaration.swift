// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

/// The content of all lines of a folder.
struct YOLOForm: Equatable {
  var shape: YOLOLines.Shape
  /// The shape of the keypoints; nil if lines have none.
  var keypoints: YOLOLines.KeypointShape?

  /// The content of many lines, for messages.
  var words: String { keypoints?.words ?? shape.words }
}

/// The facts of a `data.yaml` besides images and classes.
struct YOLODeclaration: Equatable {
  /// A member that cannot be used.
  struct Problem: Error, Equatable {
    /// The line, from 1; nil if a line is missing.
    var line: Int?
    var text: String

    /// Returns the message with the file's path.
    func message(_ path: String) -> String {
      "'\(path.printable)'" + (line.map { " line \($0): " } ?? " ") + text
    }

    static let remedy: Advice = "Correct the file, or name another folder"
  }

  /// Whether boxes are in stored pixels of an image that is shown rotated.
  var hasStoredBoxes = false
  /// The task of the labels; nil if the file names none.
  var shape: YOLOLines.Shape?
  /// The member `kpt_shape`; nil if there is none or it cannot be used.
  var keypoints: YOLOLines.KeypointShape?
  /// The member `flip_idx`, the counterpart of each keypoint on the other side; empty if it is unknown.
  var mirrored: [Int] = []
  /// The reason why labels cannot be read; nil if there is none.
  private(set) var problem: Problem?

  /// The first line if boxes are in stored pixels: YOLO's tools rotate images.
  private static let storedMark = "# Boxes are in pixels as stored, not as shown.\n"

  init() {}

  /// The content of lines that the file declares; nil if it does not.
  var form: YOLOForm? { shape.map { YOLOForm(shape: $0, keypoints: keypoints) } }

  /// Declares the content of lines.
  /// - Parameters:
  ///   - form: The content.
  ///   - set: The known set of the keypoints, which has the counterparts; nil without one.
  mutating func declare(_ form: YOLOForm, of set: KeypointSet?) {
    shape = form.shape
    keypoints = form.keypoints
    mirrored = set?.mirrored ?? []
  }

  /// Declares the content of earlier lines as their declaration does; nil if there are no lines.
  mutating func continues(_ form: YOLOForm?, of earlier: YOLODeclaration) {
    shape = form?.shape
    keypoints = form?.keypoints
    mirrored = keypoints == nil ? [] : earlier.mirrored
  }

  /// The lines before the lists of images and classes.
  var yaml: String {
    var text = (hasStoredBoxes ? Self.storedMark : "") + (shape.map { "task: \($0.rawValue)\n" } ?? "")
    guard let keypoints else { return text }
    text += "kpt_shape: [\(keypoints.count), \(keypoints.dimensions)]\n"
    return mirrored.isEmpty ? text : text + "flip_idx: \(mirrored)\n"
  }

  /// Reads the declaration of a folder; that of a folder without a `data.yaml` is empty.
  init(folder: String) throws(SystemError) {
    do throws(SystemError) {
      self.init(try SmallFile.bytes(of: FilePath.joined(folder, "data.yaml"), limit: 1 << 26))
    } catch {
      guard error.number == ENOENT else { throw error }
      self.init()
    }
  }

  /// Reads the text of a `data.yaml`.
  init(_ bytes: [UInt8]) {
    hasStoredBoxes = bytes.starts(with: Self.storedMark.utf8)
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      line.last == 0x0D ? line.dropLast() : line
    }
    for (index, line) in lines.enumerated() {
      if shape == nil, line.starts(with: "task:".utf8) {
        let value = String(decoding: line.dropFirst(5), as: UTF8.self)
        shape = YOLOLines.Shape(rawValue: value.prefix { $0 != "#" }.filter { $0.isASCII && $0.isLetter })
      } else if line.starts(with: "flip_idx:".utf8) {
        mirrored = Self.numbers(Self.value(lines[index...], after: "flip_idx:")) ?? []
      } else if line.starts(with: "kpt_shape:".utf8) {
        let value = Self.value(lines[index...], after: "kpt_shape:")
        let numbers = Self.numbers(value) ?? []
        keypoints =
          numbers.count == 2
          ? YOLOLines.KeypointShape(count: numbers[0], dimensions: numbers[1]) : nil
        guard keypoints == nil else { continue }
        let shown = String(value.joined(separator: " ").prefix(40)).printable
        problem = Problem(
          line: index + 1,
          text: "kpt_shape is '\(shown)'; expected the number of keypoints, up to"
            + " \(YOLOLines.KeypointShape.limit), and 2 or 3, such as [17, 3]")
      }
    }
    checkKeypoints()
  }

  /// Finds problems of the task and the keypoints together.
  private mutating func checkKeypoints() {
    let count = keypoints?.count ?? 0
    if mirrored.count != count || Set(mirrored) != Set(0..<count) { mirrored = [] }
    guard problem == nil else { return }
    switch (shape, keypoints) {
    case (.keypoints?, nil):
      problem = Problem(text: "has the task pose but no kpt_shape, the number of keypoints")
    case (nil, _?): shape = .keypoints
    case (let shape?, _?) where shape != .keypoints:
      problem = Problem(text: "has the task \(shape.rawValue) and kpt_shape, which is of the task pose")
    default: break
    }
  }

  /// Returns the value of a member: the rest of its line and the lines that belong to it, without comments
  /// and blank lines.
  private static func value(_ lines: ArraySlice<ArraySlice<UInt8>>, after key: String) -> [String] {
    let rest = lines.dropFirst().prefix { line in
      guard let first = line.first else { return true }
      return [0x20, 0x09, UInt8(ascii: "-"), UInt8(ascii: "#")].contains(first)
    }
    let all = lines.prefix(1).map { $0.dropFirst(key.utf8.count) } + rest
    return all.prefix(1 << 16).map { line in
      String(decoding: line.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self).trimmed
    }.filter { !$0.isEmpty }
  }

  /// Returns the whole numbers of a list, in brackets or one per line after a dash; nil for other text.
  private static func numbers(_ value: [String]) -> [Int]? {
    let text = value.joined(separator: " ")
    var parts: [String]
    if text.hasPrefix("["), text.hasSuffix("]") {
      parts = text.dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: false)
        .map { String($0).trimmed }
      if parts.last == "" { parts.removeLast() }
    } else {
      guard value.allSatisfy({ $0.hasPrefix("-") }) else { return nil }
      parts = value.map { String($0.dropFirst()).trimmed }
    }
    let numbers = parts.compactMap { Int($0) }
    return numbers.count == parts.count ? numbers : nil
  }
}

extension String {
  /// The text without spaces and tabs around it.
  fileprivate var trimmed: String {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    guard let end = lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(self[...end].drop(while: isSpace))
  }
}
