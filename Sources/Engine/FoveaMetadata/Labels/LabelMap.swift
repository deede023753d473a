// SPDX-License-Identifier: Apache-2.0

/// The names of a model's classes, by class index.
public struct LabelMap: Sendable, Hashable {
  /// The class names; placeholders such as `???` and blank lines are kept, so that indices stay right.
  public var names: [String]
  /// The names for people in the locale that was asked for, as many as `names`; nil where none was asked for.
  public var displayNames: [String]?
  /// Where the names come from, for error texts: a file's name.
  public var source: String

  /// In which form the file names them; one label a line where there is no file.
  public internal(set) var form: LabelForm = .lines
  /// What was done to the file to read it, as `numbered from 1`; empty for most.
  package internal(set) var remarks: [String] = []
  /// The model's own labels, which show where its background is; nil if it has none.
  package var ownNames: [String]?
  /// Every way to read the class names, the likeliest first; one for each number of labels.
  var readings: [LabelReading] = []
  /// The same of the display names.
  var displayReadings: [LabelReading] = []

  /// Makes a label map.
  public init(names: [String], displayNames: [String]? = nil, source: String) {
    self.names = names
    self.displayNames = displayNames
    self.source = source
  }

  /// The number of classes.
  public var count: Int { names.count }

  /// Whether the first name stands for "no object", in any of the usual words: `background`, `__background__`, `bg`,
  /// `unlabeled`, `none`, `N/A`, `Hintergrund`, `fond` or `???`.
  public var namesBackground: Bool { names.first.map(BackgroundName.isOne) ?? false }

  /// What to show for a class: its display name where there is one, else its class name, nil beyond the last
  /// class.
  public func text(for classIndex: Int) -> String? {
    let list = displayNames ?? names
    return list.indices.contains(classIndex) ? list[classIndex] : nil
  }

  /// Reads a label file in any form of ``LabelForm``.
  ///
  /// White space around labels, a byte order mark and the empty line at the end do not count. Which lines are labels, and
  /// whether numbers count from 0 or 1, may depend on the number of classes: ``fitted(to:of:)``.
  /// - Parameters:
  ///   - bytes: The file's content.
  ///   - source: The file's name, for error texts.
  /// - Throws: `MetadataError` with `badLabels` for text that is not UTF-8, has no label, or begins as a form that it is
  ///   not, or `tooLarge`.
  public init(parsing bytes: [UInt8], source: String) throws(MetadataError) {
    guard let map = try LabelMap(ofOwn: bytes, source: source) else {
      throw MetadataError(
        .badLabels, "\(source) has no labels",
        remedy: "Give a file of labels: lines, pbtxt, CSV, JSON or YAML")
    }
    self = map
  }

  /// Reads a model's own label file; nil for one without a label, which is as good as none.
  /// - Throws: As `init(parsing:source:)`, apart from that.
  init?(ofOwn bytes: [UInt8], source: String) throws(MetadataError) {
    let found = try LabelText.readings(bytes, source: source)
    guard let first = found.first else { return nil }
    self.init(names: first.names, source: source)
    (form, remarks, readings) = (first.form, first.remarks, found)
  }
}

extension LabelMap {
  /// Reads a label file in any form of ``LabelForm``.
  /// - Parameter path: The file, also what errors call it.
  /// - Throws: `MetadataError` with `missingFile`, `unreadable`, `tooLarge` or `badLabels`.
  public init(contentsOf path: String) throws(MetadataError) {
    try self.init(parsing: BundleFiles.contents(of: path, limit: TextLines.maxBytes), source: path)
  }

  /// Whether a file can be read and has no label.
  package static func isBlank(_ path: String) -> Bool {
    guard let bytes = try? BundleFiles.contents(of: path, limit: TextLines.maxBytes),
      let readings = try? LabelText.readings(bytes, source: path)
    else { return false }
    return readings.isEmpty
  }
}
