// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension LabelMap {
  /// Reads the labels that the metadata names for an output.
  ///
  /// A classifier's labels belong to the axis of its scores, a detector's to the values of its class output.
  /// The first file without a locale has the class names (the first of all if each has a locale), the file
  /// with the requested locale has the display names.
  /// - Parameters:
  ///   - output: The description of the output.
  ///   - locale: The locale of the display names, such as `en`; nil for class names only.
  ///   - model: The whole model file.
  /// - Returns: The labels; nil if the output has no label file, or one without labels and no locale is
  ///   requested.
  /// - Throws: `MetadataError` with `missingLocale`, `countMismatch`, `missingFile`, `badLabels` or the code
  ///   of an archive.
  public static func read(
    for output: TensorMetadata, locale: String? = nil, model: Span<UInt8>
  ) throws(MetadataError) -> LabelMap? {
    guard let classFile = classFile(of: output) else { return nil }
    guard let archive = try ModelArchive.read(model) else {
      throw MetadataError(
        .missingFile,
        "The metadata names the label file '\(classFile.name)', but no archive follows the model",
        remedy: "Write the metadata again together with the file, or pass your own labels")
    }
    let contents = try archive.contents(of: classFile.name, in: model)
    guard let locale else { return try LabelMap(ofOwn: contents, source: classFile.name) }
    let map = try LabelMap(parsing: contents, source: classFile.name)
    let files = labelFiles(of: output)
    guard let file = files.first(where: { $0.locale == locale }) else {
      let locales = files.compactMap(\.locale).filter { !$0.isEmpty }
      throw MetadataError(
        .missingLocale,
        "The model has no labels in the locale '\(locale)'; it has "
          + "\(locales.isEmpty ? "none" : locales.joined(separator: ", "))",
        remedy: locales.isEmpty ? "Omit the locale" : "Use one of these, or omit the locale")
    }
    let shown = try LabelMap(parsing: archive.contents(of: file.name, in: model), source: file.name)
    guard let count = shown.count(among: map.counts), var map = map.read(as: count) else {
      throw MetadataError(
        .countMismatch,
        "\(file.name) has \(DecimalText.counted(shown.count, "label", "labels")), but \(classFile.name) has"
          + " \(map.count)",
        remedy: "Omit the locale, or download or export the model again")
    }
    map.displayNames = shown.read(as: count)?.names
    map.displayReadings = shown.readings
    return map
  }

  /// Returns the label file of an output if it is in the model and has no labels; nil for others.
  /// - Returns: Its name, and whether it is empty.
  package static func blankFile(
    for output: TensorMetadata, model: Span<UInt8>
  ) -> (name: String, isEmpty: Bool)? {
    guard let file = classFile(of: output), let archive = try? ModelArchive.read(model),
      let contents = try? archive.contents(of: file.name, in: model),
      let readings = try? LabelText.readings(contents, source: file.name), readings.isEmpty
    else { return nil }
    return (file.name, contents.isEmpty)
  }

  private static func labelFiles(of output: TensorMetadata) -> [AssociatedFile] {
    output.files(output.files(.axisLabels).isEmpty ? .valueLabels : .axisLabels)
  }

  private static func classFile(of output: TensorMetadata) -> AssociatedFile? {
    let files = labelFiles(of: output)
    return files.first { $0.locale?.isEmpty ?? true } ?? files.first
  }

  /// Reads the labels that the metadata names for an output.
  ///
  /// - Parameters:
  ///   - output: The description of the output.
  ///   - locale: The locale of the display names; nil for class names only.
  ///   - model: The whole model file.
  /// - Returns: The labels; nil as for a span.
  /// - Throws: `MetadataError`, as for a span.
  public static func read(
    for output: TensorMetadata, locale: String? = nil, model: [UInt8]
  ) throws(MetadataError) -> LabelMap? {
    try read(for: output, locale: locale, model: model.span)
  }
}
