// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore

/// The class numbers of YOLO files: the model's own, so that all runs of a model agree.
struct YOLOClasses: Equatable {
  /// The names by number.
  private(set) var names: [String] = []
  /// The number of objects without a label: the first after the model's own classes.
  private var unlabelled = 0

  /// The maximum number of classes; a model with more is damaged.
  static let limit = 100_000

  /// Creates the list from the model's classes.
  init(_ names: [String] = []) {
    self.names = names.enumerated().map { $0.element.isEmpty ? "class \($0.offset)" : $0.element }
    unlabelled = names.count
  }

  /// Returns the number of an object's class; adds an unknown class to the list.
  mutating func number(of object: DetectedObject) throws(FoveaError) -> Int {
    guard let label = object.labels.first else {
      try fill(upTo: unlabelled)
      if names.count == unlabelled { names.append(object.className) }
      return unlabelled
    }
    try fill(upTo: label.index)
    if names.count == label.index { names.append(object.className) }
    return label.index
  }

  /// Adds names for classes of which only the number is known.
  private mutating func fill(upTo index: Int) throws(FoveaError) {
    guard (0..<YOLOClasses.limit).contains(index) else {
      throw FoveaError(
        .yoloClassInvalid,
        "the model returned class \(index); 0 to \(YOLOClasses.limit - 1) can be written",
        remedy: "Check the model, or name its classes with \(option: "labels")")
    }
    while names.count < index { names.append("class \(names.count)") }
  }

  /// Adds the classes that an earlier run has appended.
  /// - Parameter lines: The lines of its `classes.txt`.
  /// - Throws: `resume-classes-differ` if a number would change its meaning.
  mutating func join(_ lines: [String]) throws(FoveaError) {
    for (index, (name, line)) in zip(names, lines).enumerated() where name.printable != line {
      throw FoveaError(
        .resumeClassesDiffer,
        "class \(index) is '\(name.printable)', but was '\(line.printable)' in the earlier run",
        remedy: "Use the earlier run's model and options, or another folder")
    }
    if lines.count > names.count { names += lines[names.count...] }
  }

  /// One name per line, as LabelImg and Label Studio read it.
  var text: String { names.map { $0.printable + "\n" }.joined() }

  /// The data set's description in the form that Ultralytics and Supervision read; paths are relative to the
  /// file.
  var yaml: String {
    "train: images\nval: images\nnc: \(names.count)\nnames:\n"
      + names.enumerated().map { "  \($0.offset): \(YOLOClasses.quoted($0.element))\n" }.joined()
  }

  /// Returns a double-quoted YAML scalar.
  ///
  /// **Source:** YAML 1.2.2, sections 5.1 and 5.7.
  private static func quoted(_ name: String) -> String {
    var text = "\""
    for scalar in name.unicodeScalars {
      switch scalar.value {
      case 0x22: text += "\\\""
      case 0x5C: text += "\\\\"
      case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
