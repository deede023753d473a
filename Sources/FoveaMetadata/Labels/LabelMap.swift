// SPDX-License-Identifier: Apache-2.0

/// The names of a model's classes, by class index.
public struct LabelMap: Sendable, Hashable {
  /// The class names; placeholders such as `???` and blank lines are kept, so that indices stay right.
  public var names: [String]
  /// The names for people in the locale that was asked for, as many as `names`; nil where none was asked for.
  public var displayNames: [String]?
  /// Where the names come from, for error texts: a file's name.
  public var source: String

  /// Makes a label map.
  public init(names: [String], displayNames: [String]? = nil, source: String) {
    self.names = names
    self.displayNames = displayNames
    self.source = source
  }

  /// The number of classes.
  public var count: Int { names.count }

  /// Whether the first name stands for "no object": `background`, `__background__` or `???`.
  public var namesBackground: Bool {
    guard let first = names.first?.lowercased() else { return false }
    return ["background", "__background__", "???"].contains(first)
  }

  /// What to show for a class: its display name where there is one, else its class name, nil beyond the last
  /// class.
  public func text(for classIndex: Int) -> String? {
    let list = displayNames ?? names
    return list.indices.contains(classIndex) ? list[classIndex] : nil
  }

  /// Reads a label file: one label per line.
  ///
  /// LF and CRLF, with or without a byte order mark; one empty line at the end is not a label. Where all lines begin with
  /// their own number, from 0 or from 1 (`0 tshirt`, `0: tshirt`), as Teachable Machine writes them, they lose it.
  /// - Parameters:
  ///   - bytes: The file's content.
  ///   - source: The file's name, for error texts.
  /// - Throws: `MetadataError` with `badLabels` for text that is not UTF-8 or has no line, or `tooLarge`.
  public init(parsing bytes: [UInt8], source: String) throws(MetadataError) {
    names = try Self.lines(bytes, source: source)
    displayNames = nil
    self.source = source
  }

  /// Throws unless there are as many labels as a tensor has classes.
  ///
  /// - Parameters:
  ///   - classCount: The number of classes of the tensor.
  ///   - tensor: The tensor in words, for example `output 0 'scores'`.
  /// - Throws: `MetadataError` with `countMismatch`.
  public func check(classCount: Int, of tensor: String) throws(MetadataError) {
    guard count == classCount else {
      let blank = names.reversed().prefix { $0.isEmpty }.count
      throw MetadataError(
        .countMismatch,
        "\(source) has \(count) \(count == 1 ? "label" : "labels")"
          + (blank > 0 ? " (the last \(blank) \(blank == 1 ? "is a blank line" : "are blank lines"))" : "")
          + ", but \(tensor) has \(classCount) \(classCount == 1 ? "class" : "classes")",
        remedy: "Give a label file with \(classCount) \(classCount == 1 ? "line" : "lines"), one per class")
    }
  }

  /// The labels of a file, without the empty line after its last line end.
  static func lines(_ bytes: [UInt8], source: String) throws(MetadataError) -> [String] {
    var lines = try TextLines.split(bytes, source: source, code: .badLabels)
    if lines.last?.isEmpty == true { lines.removeLast() }
    guard lines.contains(where: { !$0.isEmpty }) else {
      throw MetadataError(
        .badLabels, "\(source) has no labels", remedy: "Give a text file with one label per line")
    }
    return NumberedLines.stripped(lines)
  }
}
