// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP

extension HostName {
  /// Rejects an invalid name of a model.
  /// - Throws: `invalid`.
  static func check(model name: String) throws(HostError) {
    guard isName(name) else {
      throw HostError(
        .invalid, "\(shown(name)) is not a valid model name",
        remedy: "Use 1 to 32 letters, digits, '_' and '-'")
    }
  }

  /// Rejects an invalid id of an experiment.
  /// - Throws: `invalid`.
  static func check(experiment id: String) throws(HostError) {
    guard isExperiment(id) else {
      throw HostError(
        .invalid,
        "\(shown(id)) is not the id of an experiment, which has 1 to 22 lower-case letters, digits and '-'",
        remedy: "List the experiments to find their ids")
    }
  }

  /// Rejects an invalid id of a key.
  /// - Throws: `invalid`.
  static func check(key id: String) throws(HostError) {
    guard id.utf8.count == 40, Hexadecimal.decode(id) != nil else {
      throw HostError(
        .invalid, "\(shown(id)) is not the id of a key, which has 40 lower-case hexadecimal digits",
        remedy: "List the keys to find their ids")
    }
  }

  /// Rejects a publish with an invalid name, channel or notes.
  /// - Throws: `invalid`, naming the invalid one.
  static func checkPublish(of name: String, channel: String, notes: String) throws(HostError) {
    try check(model: name)
    try HostModel.checkChannel(channel)
    guard notes.utf8.count <= longestNotes else {
      throw HostError(
        .invalid, "The notes have \(DecimalText.grouped(notes.utf8.count)) bytes, over the limit",
        remedy: "Shorten them to \(DecimalText.grouped(longestNotes)) bytes")
    }
  }

  /// The maximum size of a version's notes in bytes.
  private static let longestNotes = 1_000
}
#endif
