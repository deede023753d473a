// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaModels

/// The events waiting to be sent, one per line; several processes append to the file.
///
/// A line cut by a crash is not an event, and the next event starts on a new line.
struct EventFile: Sendable {
  /// One event as it is sent.
  struct Line: Sendable, Hashable {
    let id: String
    let json: String
  }

  struct Content: Sendable {
    var events: [Line] = []
    var dropped = 0
  }

  static let mostBytes = 1 << 20
  static let mostEvents = 10_000

  let data: HostData
  let name: String

  private struct Head: Decodable {
    var id: String?
    var dropped: Int?
  }

  /// Reads the waiting events.
  /// - Throws: `store`.
  func read() throws(ConfigError) -> Content {
    do throws(ModelStoreError) { return try Self.content(bytes()) } catch { throw ConfigError(error) }
  }

  /// Appends an event; if the file is full, its oldest tenth is removed first.
  /// - Throws: `store`; then the file is as before.
  func append(_ event: LoggedEvent) throws(ConfigError) {
    let line = Array((event.json + "\n").utf8)
    do throws(ModelStoreError) {
      try data.alone(name) { () throws(ModelStoreError) in
        let bytes = try bytes()
        let lines = bytes.count { $0 == 0x0A }
        guard bytes.count + line.count > Self.mostBytes || lines > Self.mostEvents else {
          let isCut = bytes.last.map { $0 != 0x0A } ?? false
          return try data.append((isCut ? [0x0A] : []) + line, to: name)
        }
        var content = Self.content(bytes)
        var room = bytes.count + line.count - Self.mostBytes * 9 / 10
        var count = max(0, content.events.count - Self.mostEvents * 9 / 10)
        while !content.events.isEmpty, room > 0 || count > 0 {
          room -= content.events.removeFirst().json.utf8.count + 1
          count -= 1
          content.dropped += 1
        }
        content.events.append(.init(id: event.id, json: event.json))
        try write(content)
      }
    } catch {
      throw ConfigError(error)
    }
  }

  /// Removes events that the host has received.
  /// - Throws: `store`; then they are sent again, and the host counts each id once.
  func remove(_ ids: Set<String>) throws(ConfigError) {
    do throws(ModelStoreError) {
      try data.alone(name) { () throws(ModelStoreError) in
        var content = try Self.content(bytes())
        content.events.removeAll { ids.contains($0.id) }
        try write(content)
      }
    } catch {
      throw ConfigError(error)
    }
  }

  private func bytes() throws(ModelStoreError) -> [UInt8] {
    try data.contents(name, limit: 2 * Self.mostBytes) ?? []
  }

  private static func content(_ bytes: [UInt8]) -> Content {
    var content = Content()
    for line in bytes.split(separator: 0x0A) {
      // A line cut by the end of its process was never acknowledged to the caller.
      guard let head = try? JSONValue.decode(Head.self, from: line) else { continue }
      content.dropped += head.dropped ?? 0
      if let id = head.id { content.events.append(Line(id: id, json: String(decoding: line, as: UTF8.self))) }
    }
    return content
  }

  private func write(_ content: Content) throws(ModelStoreError) {
    var text = content.dropped > 0 ? "{\"dropped\": \(content.dropped)}\n" : ""
    for event in content.events { text += event.json + "\n" }
    try data.replace(name, with: Array(text.utf8))
  }
}
