// SPDX-License-Identifier: Apache-2.0

/// Labels as the lines of a file.
package enum LabelLines {
  /// Returns the content of the file, one label per line.
  /// - Throws: `badLabels` if a reader would find other labels in it.
  static func bytes(_ labels: [String]) throws(MetadataError) -> [UInt8] {
    for (index, label) in labels.enumerated() {
      guard isLine(label), label.contains(where: { !$0.isWhitespace }) else {
        throw MetadataError(
          .badLabels, "The label of class \(index) is \(label.debugDescription), expected one line of text",
          remedy: "Class names must not be blank or contain line breaks")
      }
    }
    let bytes = lines(labels)
    let map = try? LabelMap(parsing: bytes, source: "labels.txt")
    guard let read = map?.read(as: labels.count), same(read.names, labels) else {
      throw misread(labels, as: map)
    }
    return bytes
  }

  /// Returns the content of the file, one label per line; in quotes if the labels would otherwise be read as
  /// others, as `0 doors`, `4 wheels` would be.
  /// - Parameters:
  ///   - labels: The labels; blank ones belong to classes without a name.
  ///   - isCounted: If true, the reader knows the number of classes, which decides between several readings.
  ///   - name: The file's name, for errors.
  /// - Returns: Lines in UTF-8.
  /// - Throws: `badLabels` if a reader would find other labels in it.
  package static func bytes(
    _ labels: [String], isCounted: Bool, name: String
  ) throws(MetadataError) -> [UInt8] {
    if let index = labels.firstIndex(where: { !isLine($0) }) {
      throw MetadataError(
        .badLabels,
        "The label of class \(index) is \(labels[index].debugDescription), expected one line of text",
        remedy: "Remove line breaks and NUL bytes from the labels")
    }
    let forms = [lines(labels), lines(labels.map(quoted))]
    let maps = forms.map { try? LabelMap(ofOwn: $0, source: name) }
    let end = labels.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0
    // A reader that does not know the number of classes uses the likeliest reading, in which blank lines at
    // the end are ignored.
    let isLikeliest: (LabelMap?) -> Bool = { map in
      guard let map else { return end == 0 }
      return same(Array(map.names.prefix(labels.count)), Array(labels.prefix(map.count))) && map.count >= end
        && map.count <= labels.count
    }
    let isPossible: (LabelMap?) -> Bool = { map in
      guard let map else { return end == 0 }
      return map.read(as: labels.count).map { same($0.names, labels) } == true
    }
    let place =
      isCounted
      ? maps.firstIndex(where: isPossible)
      : maps.firstIndex(where: isLikeliest) ?? maps.firstIndex(where: isPossible)
    guard let place else {
      throw misread(labels, as: maps[1])
    }
    return forms[place]
  }

  /// Returns the error for labels of which a reader would find others: a name for the first that differs.
  private static func misread(_ labels: [String], as map: LabelMap?) -> MetadataError {
    let read = (map?.read(as: labels.count) ?? map)?.names ?? []
    func other(_ index: Int) -> String { read.indices.contains(index) ? read[index] : "" }
    let place = labels.indices.first { !same([labels[$0]], [other($0)]) } ?? 0
    let label = labels.isEmpty ? "" : labels[place]
    let isKnown = read.count == labels.count
    let reading = isKnown ? ", and would be read as \(String(other(place).prefix(40)).debugDescription)" : ""
    return MetadataError(
      .badLabels,
      "The labels cannot be written so that they are read back unchanged: that of class \(place) is"
        + " \(String(label.prefix(40)).debugDescription)\(reading)",
      remedy:
        "Rename this class: begin its name with a letter, and write no number, sign or space at its ends")
  }

  /// Returns the lines of a file; readers drop one empty line at the end.
  private static func lines(_ labels: [String]) -> [UInt8] {
    labels.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
  }

  private static func isLine(_ label: String) -> Bool {
    !label.unicodeScalars.contains { $0 == "\n" || $0 == "\r" || $0 == "\0" }
  }

  /// Returns a label in quotes; a quote in it is written twice.
  static func quoted(_ label: String) -> String {
    let parts = label.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + parts.joined(separator: "\"\"") + "\""
  }

  /// Returns whether labels have the same bytes.
  private static func same(_ labels: [String], _ others: [String]) -> Bool {
    labels.elementsEqual(others) { Array($0.utf8) == Array($1.utf8) }
  }
}
