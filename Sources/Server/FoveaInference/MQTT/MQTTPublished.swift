// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Logging

/// The topics of a server's retained messages in `mqtt.json` of the events folder, so that those about
/// sources that have gone can be removed from the broker.
struct MQTTPublished: Sendable {
  /// Nil if nothing is kept.
  private let path: String?
  private let logger: Logger
  /// The topics of the sources.
  private let current: [String]
  /// The topics of sources that have gone.
  let gone: [String]

  private static let limit = 1 << 20

  /// Reads the file, and adds the topics of the sources to it before they are published.
  /// - Parameters:
  ///   - folder: The events folder; nil without one.
  ///   - current: The topics of the sources.
  ///   - logger: The log for a file that cannot be read or written.
  init(folder: String?, current: [String], logger: Logger) {
    path = folder.map { FilePath.joined($0, "mqtt.json") }
    self.current = current
    self.logger = logger
    var topics: [String] = []
    do throws(SystemError) {
      if let path { topics = MQTTPublished.topics(try SmallFile.bytes(of: path, limit: Self.limit)) }
    } catch {
      if error.number != ENOENT { MQTTPublished.warn("read", path ?? "", error, logger) }
    }
    let kept = Set(current)
    gone = topics.filter { !kept.contains($0) }
    write(current + gone)
  }

  /// Removes the topics of sources that have gone from the file; waits for the disk.
  func forgetGone() { write(current) }

  private func write(_ topics: [String]) {
    guard let path else { return }
    let text = JSONText.line { $0.member("topics", topics) }
    do throws(SystemError) { try ReplacedFile.write(text.utf8, to: path, isPrivate: true) } catch {
      MQTTPublished.warn("written", path, error, logger)
    }
  }

  /// Returns the topics in a file; none if it is damaged.
  private static func topics(_ bytes: [UInt8]) -> [String] {
    guard let value = try? JSONValue(bytes, name: "the topics"), case .array(let values)? = value["topics"]
    else { return [] }
    return values.compactMap(\.text).filter { topic in
      !topic.isEmpty && MQTTPacket.accepts(topic) && !topic.contains { "+#".contains($0) }
    }
  }

  private static func warn(_ what: String, _ path: String, _ error: SystemError, _ logger: Logger) {
    logger.warning(
      "the list of MQTT topics cannot be \(what)", metadata: ["file": "\(path)", "error": "\(error.message)"])
  }
}
#endif
