// SPDX-License-Identifier: Apache-2.0

/// How Ultralytics' exporter describes a model: its task, the names of the classes, the licence.
///
/// Newer versions add it to the model as `metadata.json` in an archive, without TFLite metadata; older ones put a
/// dictionary as Python prints it where TFLite metadata have a label file:
/// `{'task': 'detect', 'names': {0: 'person', 1: 'bicycle'}}`.
///
/// **Source:** Ultralytics, `engine/exporter.py` (8.0 to 8.4): the dictionary `metadata`.
package struct ExporterDescription: Sendable, Hashable {
  /// The names of the classes, by index.
  package var names: [String]
  /// What the model was trained for: `detect`, `segment`, `pose`, `obb` or `classify`; nil where it is not said.
  package var task: String?
  /// One sentence on the model.
  package var description: String?
  /// Who made the exporter.
  package var author: String?
  /// The exporter's version.
  package var version: String?
  /// The licence of the model.
  package var license: String?
  /// The file of the archive that it was read from, for error texts.
  package var source = ""

  /// The files that an exporter writes it into.
  private static let files = ["metadata.json", "temp_meta.txt", "metadata.txt"]

  /// Looks for it in the archive at the end of a model.
  /// - Parameter model: The whole model file.
  /// - Returns: nil where there is no archive, or none of its files is such a description.
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

  /// - Parameter text: JSON, or a dictionary as Python prints it.
  /// - Returns: nil where the text is neither, or the classes among its "names" are not 0, 1, 2, ….
  static func parse(_ text: [UInt8]) -> ExporterDescription? {
    guard let values = ExporterDictionary(text), let names = values.names else { return nil }
    return ExporterDescription(
      names: names, task: values.texts["task"], description: values.texts["description"],
      author: values.texts["author"], version: values.texts["version"], license: values.texts["license"])
  }
}
