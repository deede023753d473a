// SPDX-License-Identifier: Apache-2.0

/// The names of a model's classes, by class index.
public struct LabelMap: Sendable, Hashable {
  /// The class names, including placeholders such as `???` and blank lines, so that indices are right.
  public var names: [String]
  /// The display names in the requested locale, as many as `names`; nil if no locale was requested.
  public var displayNames: [String]?
  /// The source of the names for errors: a file name.
  public var source: String

  /// The form of the label file; `lines` without a file.
  public internal(set) var form: LabelForm = .lines
  /// Remarks on how the file was read, such as `numbered from 1`; empty for most.
  package internal(set) var remarks: [String] = []
  /// The model's own labels, which show the index of its background; nil if there are none.
  package var ownNames: [String]?
  /// All possible readings of the class names, the likeliest first; one per number of labels.
  var readings: [LabelReading] = []
  /// The possible readings of the display names.
  var displayReadings: [LabelReading] = []

  /// Creates a label map.
  public init(names: [String], displayNames: [String]? = nil, source: String) {
    self.names = names
    self.displayNames = displayNames
    self.source = source
  }

  /// The number of classes.
  public var count: Int { names.count }

  /// Whether the first name means "no object", in any of the usual words: `background`, `__background__`,
  /// `bg`, `unlabeled`, `none`, `N/A`, `Hintergrund`, `fond` or `???`.
  package var namesBackground: Bool { names.first.map(BackgroundName.isOne) ?? false }

  /// Returns the name to show for a class: its display name if there is one, else its class name; nil for an
  /// index out of range.
  public func text(for classIndex: Int) -> String? {
    let list = displayNames ?? names
    return list.indices.contains(classIndex) ? list[classIndex] : nil
  }

  /// Reads a label file in any form of ``LabelForm``.
  ///
  /// White space around labels, a byte order mark and an empty line at the end are ignored. The number of
  /// classes may decide which lines are labels, and whether numbers count from 0 or 1: see
  /// `fitted(to:of:)`.
  /// - Parameters:
  ///   - bytes: The file's content.
  ///   - source: The file's name, for errors.
  /// - Throws: `MetadataError` with `badLabels` for text that is not UTF-8, has no labels, or starts like a
  ///   form but is invalid, or `tooLarge`.
  public init(parsing bytes: [UInt8], source: String) throws(MetadataError) {
    guard let map = try LabelMap(ofOwn: bytes, source: source) else {
      throw MetadataError(
        .badLabels, "\(source) has no labels",
        remedy: "Use a label file: lines, pbtxt, CSV, JSON or YAML")
    }
    self = map
  }

  /// Reads a model's own label file; returns nil if it has no labels, and so is treated as missing.
  /// - Throws: The codes of `init(parsing:source:)`, except for a file without labels.
  init?(ofOwn bytes: [UInt8], source: String) throws(MetadataError) {
    let found = try LabelText.readings(bytes, source: source)
    guard let first = found.first else { return nil }
    self.init(names: first.names, source: source)
    (form, remarks, readings) = (first.form, first.remarks, found)
  }
}

extension LabelMap {
  /// Reads a label file in any form of ``LabelForm``.
  /// - Parameter path: The path of the file, which is also its name in errors.
  /// - Throws: `MetadataError` with `missingFile`, `unreadable`, `tooLarge` or `badLabels`.
  public init(contentsOf path: String) throws(MetadataError) {
    try self.init(parsing: BundleFiles.contents(of: path, limit: TextLines.maxBytes), source: path)
  }

  /// Returns whether a file can be read and has no labels.
  package static func isBlank(_ path: String) -> Bool {
    guard let bytes = try? BundleFiles.contents(of: path, limit: TextLines.maxBytes),
      let readings = try? LabelText.readings(bytes, source: path)
    else { return false }
    return readings.isEmpty
  }
}
