// SPDX-License-Identifier: Apache-2.0

/// Labels as the lines of a file.
enum LabelLines {
  /// The text, a label a line.
  /// - Throws: `badLabels` where a reader would find other labels in it.
  static func bytes(_ labels: [String]) throws(MetadataError) -> [UInt8] {
    for (index, label) in labels.enumerated() {
      let isLine = !label.unicodeScalars.contains { $0 == "\n" || $0 == "\r" || $0 == "\0" }
      guard isLine, label.contains(where: { !$0.isWhitespace }) else {
        throw MetadataError(
          .badLabels, "The label of class \(index) is \(label.debugDescription), expected one line of text",
          remedy: "Give every class a name of one line")
      }
    }
    let bytes = labels.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
    let read = try LabelMap(parsing: bytes, source: "labels.txt").read(as: labels.count)
    guard let read, read.names.elementsEqual(labels, by: { Array($0.utf8) == Array($1.utf8) }) else {
      throw MetadataError(
        .badLabels,
        "The labels would be read back as others, as lines that count are taken for numbers of classes, and comments and"
          + " white space at the ends for no part of them",
        remedy:
          "Give at least one class a name that does not begin with its number, and no class one that begins with #"
      )
    }
    return bytes
  }
}
