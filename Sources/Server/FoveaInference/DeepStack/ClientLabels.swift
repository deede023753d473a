// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
package import FoveaCore
import FoveaHTTP

/// A client's names for the labels of models.
///
/// A JSON object from a label to the client's name, or to null for objects to drop; `"*": null` drops all
/// other labels:
///
/// ```json
/// {"person": "person", "sports ball": "ball", "*": null}
/// ```
package struct ClientLabels: Sendable, Hashable {
  private var names: [String: String] = [:]
  private var dropped: Set<String> = []
  private var dropsOthers = false

  private static let limit = 1 << 20
  private static let remedy: Advice = #"Write {"label": "name", "other label": null}"#

  /// The labels that have a name or are dropped.
  var labels: Set<String> { dropped.union(names.keys) }

  /// Returns the client's name for a label; nil to drop such objects.
  package func name(of label: String) -> String? {
    if let name = names[label] { return name }
    return dropsOthers || dropped.contains(label) ? nil : label
  }

  /// Reads a file.
  /// - Throws: `config-invalid` with the location of the error.
  package init(path: String) throws(FoveaError) {
    let bytes: [UInt8]
    do { bytes = try SmallFile.bytes(of: path, limit: ClientLabels.limit) } catch {
      throw FoveaError(
        .configInvalid, "The label map '\(path)' cannot be read: \(error.message)",
        remedy: ClientLabels.remedy)
    }
    do throws(JSONFailure) { try self.init(json: bytes) } catch {
      throw FoveaError(
        .configInvalid, "The label map '\(path)' is invalid: \(error.message)",
        remedy: ClientLabels.remedy)
    }
  }

  init(json bytes: [UInt8]) throws(JSONFailure) {
    var reader = JSONReader(bytes: bytes, name: "its text")
    var seen: Set<String> = []
    try reader.object("an object of labels") { (reader, label) throws(JSONFailure) in
      guard seen.insert(label).inserted else { throw reader.mismatch("'\(label)' is given twice") }
      if try reader.peek() == UInt8(ascii: "n") {
        try reader.skip()
        if label == "*" { dropsOthers = true } else { dropped.insert(label) }
        return
      }
      guard try reader.peek() == UInt8(ascii: "\"") else {
        throw reader.mismatch("'\(label)' has neither a name in quotes nor null")
      }
      let name = try reader.stringValue()
      guard label != "*", !name.isEmpty else {
        throw reader.mismatch(label == "*" ? "'*' can only be null" : "'\(label)' has an empty name")
      }
      names[label] = name
    }
    try reader.expectEnd()
  }
}
#endif
