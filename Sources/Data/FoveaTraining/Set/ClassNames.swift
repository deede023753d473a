// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The rules for class names, and their order.
enum ClassNames {
  /// Orders names by Unicode scalars, which is the same on every machine.
  static func precedes(_ first: String, _ second: String) -> Bool {
    first.unicodeScalars.lexicographicallyPrecedes(second.unicodeScalars)
  }

  /// Whether a folder's name means that its photos show none of the classes.
  static func meansOther(_ name: String) -> Bool {
    ["none_of_the_above", "other", "background"].contains(name.lowercased())
  }

  /// Returns the names, each once.
  /// - Throws: `invalidSet` for names that differ only in their Unicode form, which Swift treats as equal.
  static func distinct(_ names: some Sequence<String>, source: String) throws(TrainingError) -> Set<String> {
    var found: Set<String> = []
    for name in names {
      let (isNew, known) = found.insert(name)
      guard isNew || known.unicodeScalars.elementsEqual(name.unicodeScalars) else {
        throw alike(known, name, source: source)
      }
    }
    return found
  }

  private static func alike(_ first: String, _ second: String, source: String) -> TrainingError {
    .invalidSet(
      "the labels '\(first.printable)' and '\(second.printable)' differ only in case or Unicode form",
      source: source, remedy: "Give both the same name, or names that differ")
  }

  /// Checks that names can be the lines of a label file, and are not easily confused.
  /// - Throws: `invalidSet` with the names.
  static func check(_ names: [String], source: String) throws(TrainingError) {
    guard names.count <= TrainingSet.maximumClassCount else {
      throw .invalidSet(
        "it has \(names.count) classes, but at most \(TrainingSet.maximumClassCount) are allowed",
        source: source)
    }
    if let bad = names.first(where: { !isLabel($0) }) {
      throw .invalidSet(
        "the label '\(bad.printable)' is not a line of text: it is empty, or has a line break or an "
          + "undecodable byte",
        source: source, remedy: "Rename the class")
    }
    var seen: [String: String] = [:]
    for name in names {
      if let other = seen.updateValue(name, forKey: name.lowercased()) {
        throw alike(other, name, source: source)
      }
    }
  }

  private static func isLabel(_ name: String) -> Bool {
    let scalars = name.unicodeScalars
    guard scalars.contains(where: { !$0.properties.isWhitespace }) else { return false }
    return !scalars.contains { scalar in
      scalar == "\n" || scalar == "\r" || scalar == "\0" || scalar == "\u{2028}" || scalar == "\u{2029}"
        || scalar == "\u{FFFD}"
    }
  }
}

extension TrainingError {
  /// Returns the error for photos or labels that cannot be used for training.
  static func invalidSet(
    _ problem: String, source: String,
    remedy: Advice = "Name a folder with one folder of photos per class, or a CSV file with path and label"
  ) -> TrainingError {
    TrainingError(.invalidSet, problem, remedy: remedy, subject: source)
  }

  /// Returns the error for a file or folder that the system cannot read.
  static func unreadable(_ path: String, _ error: SystemError) -> TrainingError {
    TrainingError(
      .unreadable, "it cannot be read: \(error.message)", remedy: "Check the path and its permissions",
      subject: path)
  }
}
