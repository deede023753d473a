// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import FoveaTracking

/// The topics of a server and its sources, and the ids that Home Assistant knows them by.
///
/// Only letters A to Z, digits, `_` and `-` of names get into them.
struct MQTTTopics: Sendable, Equatable {
  /// The start of the topics; it may have several parts, such as `home/fovea`.
  let prefix: String
  /// The start of the topics of discovery; empty for none.
  let discovery: String
  /// The name of this server.
  let node: String

  /// Checks names.
  /// - Parameters:
  ///   - prefix: The start of the topics.
  ///   - discovery: The start of the topics of discovery; empty for none.
  ///   - node: The name of this server; nil for the machine's.
  /// - Throws: `option-invalid` for a name with other characters.
  init(prefix: String, discovery: String, node: String? = nil) throws(FoveaError) {
    let machine = ShapeName.fitted(MachineNames.hostName)
    self.prefix = prefix
    self.discovery = discovery
    self.node = node ?? (machine.isEmpty ? "fovea" : machine)
    for (name, text) in [("prefix", prefix), ("discovery", discovery), ("node", self.node)]
    where !(text.isEmpty && name == "discovery") {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      guard text.utf8.count <= 64, parts.count == 1 || name != "node",
        parts.allSatisfy({ !$0.isEmpty && $0.unicodeScalars.allSatisfy(ShapeName.isAllowed) })
      else {
        throw .optionInvalid(
          "'\(name)' of the MQTT broker is '\(String(text.prefix(80)).printable)'",
          remedy: "Use at most 64 letters A to Z, digits, '_' and '-'"
            + (name == "node" ? "" : ", with '/' between parts"))
      }
    }
  }

  /// The id of the connection.
  var client: String { "fovea-\(node)" }

  /// The topic with `online` or `offline` for the server.
  var status: String { "\(prefix)/status" }

  /// Returns a topic of a source, such as `fovea/gate/events`.
  func topic(_ source: String, _ last: String) -> String {
    "\(prefix)/\(ShapeName.fitted(source))/\(last)"
  }

  /// Returns the id of a source's device.
  func device(_ source: String) -> String { "fovea_\(node)_\(ShapeName.fitted(source))" }

  /// Returns the topic of a source's discovery; nil if there is none.
  func discovery(of source: String) -> String? {
    discovery.isEmpty ? nil : "\(discovery)/device/\(device(source))/config"
  }

  /// Returns the topics of a source with a retained message.
  func retained(of source: String, withSnapshot hasSnapshot: Bool = false) -> [String] {
    [
      discovery(of: source), topic(source, "status"), topic(source, "state"),
      hasSnapshot ? topic(source, "snapshot") : nil,
    ].compactMap(\.self)
  }

  /// Throws `option-invalid` for two sources with the same topics.
  static func check(_ sources: [String]) throws(FoveaError) {
    var seen: [String: String] = [:]
    for source in sources {
      guard let other = seen.updateValue(source, forKey: ShapeName.fitted(source)) else { continue }
      throw .optionInvalid(
        "The sources '\(other)' and '\(source)' have the same MQTT topics, "
          + "'\(ShapeName.fitted(source))'",
        remedy: "Rename one of them")
    }
  }
}
#endif
