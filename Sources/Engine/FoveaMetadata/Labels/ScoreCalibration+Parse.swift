// SPDX-License-Identifier: Apache-2.0

extension ScoreCalibration {
  /// Parses a calibration file: one line `scale,slope,offset[,min_score]` per class, blank for a class
  /// without a curve.
  ///
  /// - Parameters:
  ///   - bytes: The file's content.
  ///   - source: The file's name, for errors.
  ///   - classCount: The number of classes; the file has one line per class and may end with one more blank
  ///     line.
  ///   - options: The options for all classes, from the metadata.
  /// - Throws: `MetadataError` with `badCalibration`, `countMismatch` or `tooLarge`.
  public init(
    parsing bytes: [UInt8], source: String, classCount: Int, options: ScoreCalibrationOptions
  ) throws(MetadataError) {
    var lines = try TextLines.split(bytes, source: source, code: .badCalibration)
    if lines.count > classCount, lines.last?.isEmpty == true { lines.removeLast() }
    guard lines.count == classCount else {
      throw MetadataError(
        .countMismatch,
        "\(source) has \(lines.count) \(lines.count == 1 ? "line" : "lines"), but the model has \(classCount)"
          + " \(classCount == 1 ? "class" : "classes")",
        remedy: "Use a calibration file with one line per class, blank for a class without calibration")
    }
    var sigmoids: [Sigmoid?] = []
    for (index, line) in lines.enumerated() {
      sigmoids.append(try Self.sigmoid(line, number: index + 1, source: source))
    }
    self.init(sigmoids: sigmoids, options: options)
  }

  /// Reads the calibration that the metadata names for an output.
  ///
  /// - Parameters:
  ///   - output: The description of the output.
  ///   - classCount: The number of classes of the output.
  ///   - model: The whole model file.
  /// - Returns: The calibration; nil if the output has none.
  /// - Throws: `MetadataError`, including if the metadata requires a calibration but names no file.
  public static func read(
    for output: TensorMetadata, classCount: Int, model: Span<UInt8>
  ) throws(MetadataError) -> ScoreCalibration? {
    guard let options = output.scoreCalibration else { return nil }
    guard let file = output.files(.axisScoreCalibration).first, let archive = try ModelArchive.read(model)
    else {
      throw MetadataError(
        .missingFile, "The metadata requires a score calibration, but the model has no file for it",
        remedy: "Write the metadata again together with the calibration file")
    }
    return try ScoreCalibration(
      parsing: try archive.contents(of: file.name, in: model), source: file.name, classCount: classCount,
      options: options)
  }

  private static func sigmoid(_ line: String, number: Int, source: String) throws(MetadataError) -> Sigmoid? {
    let parts = line.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
    if parts == [""] { return nil }
    let values = parts.compactMap { Float($0) }
    guard (3...4).contains(parts.count), values.count == parts.count, values.allSatisfy(\.isFinite) else {
      throw MetadataError(
        .badCalibration,
        "Line \(number) of \(source) is '\(line.prefix(80))'; expected 3 or 4 numbers with commas",
        remedy: "Write scale,slope,offset or scale,slope,offset,min_score, or leave the line blank")
    }
    return Sigmoid(
      scale: values[0], slope: values[1], offset: values[2], minimumScore: values.count == 4 ? values[3] : nil
    )
  }
}
