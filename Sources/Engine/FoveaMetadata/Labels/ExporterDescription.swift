// SPDX-License-Identifier: Apache-2.0

/// The description of a model by Ultralytics' exporter: its task, class names and licence.
///
/// Newer versions add it to the model as `metadata.json` in an archive, without TFLite metadata; older ones
/// write a dictionary as Python prints it instead of a label file in the TFLite metadata:
/// `{'task': 'detect', 'names': {0: 'person', 1: 'bicycle'}}`.
///
/// **Source:** Ultralytics, `engine/exporter.py` (8.0 to 8.4): the dictionary `metadata`.
package struct ExporterDescription: Sendable, Hashable {
  /// The class names, by index.
  package var names: [String]
  /// The task of the model: `detect`, `segment`, `pose`, `obb` or `classify`; nil if it is not given.
  package var task: String?
  /// The number of keypoints of an object and the numbers of each, 2 or 3, for the task `pose`; nil if they
  /// are not given.
  package var keypointShape: [Int]?
  /// A sentence about the model.
  package var description: String?
  /// The author of the exporter.
  package var author: String?
  /// The exporter's version.
  package var version: String?
  /// The licence of the model.
  package var license: String?
  /// The file of the archive that contains the description, for errors.
  package var source = ""

  /// The files in which exporters write the description.
  private static let files = ["metadata.json", "temp_meta.txt", "metadata.txt"]

  /// Searches for the description in the archive at the end of a model.
  /// - Parameter model: The whole model file.
  /// - Returns: nil if there is no archive, or none of its files is such a description.
  /// - Throws: `MetadataError` with an archive's code.
  package static func read(_ model: Span<UInt8>) throws(MetadataError) -> ExporterDescription? {
    guard let archive = try ModelArchive.read(model) else { return nil }
    for name in files where archive.entry(named: name) != nil {
      if var found = parse(try archive.contents(of: name, in: model)) {
        found.source = name
        return found
      }
    }
    return nil
  }

  /// Parses a description.
  /// - Parameter text: JSON, or a dictionary as Python prints it.
  /// - Returns: nil if the text is neither, or the classes of its "names" are not 0, 1, 2, ….
  static func parse(_ text: [UInt8]) -> ExporterDescription? {
    guard let values = ExporterDictionary(text), let names = values.names else { return nil }
    return ExporterDescription(
      names: names, task: values.texts["task"], keypointShape: values.numbers["kpt_shape"],
      description: values.texts["description"],
      author: values.texts["author"], version: values.texts["version"], license: values.texts["license"])
  }
}
