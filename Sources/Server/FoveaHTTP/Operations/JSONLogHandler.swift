// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
package import Logging

/// Writes log records as JSON lines, with the attribute names of OpenTelemetry.
package struct JSONLogHandler: LogHandler {
  package var metadata: Logger.Metadata = [:]
  package var logLevel: Logger.Level = .info
  private let label: String
  private let now: @Sendable () -> String
  private let write: @Sendable (String) -> Void

  /// Creates a handler; `now` returns the current time in RFC 3339, and `write` gets a line with its newline.
  package init(
    label: String, now: @escaping @Sendable () -> String, write: @escaping @Sendable (String) -> Void
  ) {
    self.label = label
    self.now = now
    self.write = write
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    let line = JSONText.line { json in
      json.member("timestamp", now())
      json.member("severity", event.level.rawValue)
      json.member("body", event.message.description)
      json.member("scope", label)
      let all = metadata.merging(event.metadata ?? [:]) { $1 }
      for (key, value) in all.sorted(by: { $0.key < $1.key }) where key != "hb.request.id" {
        json.key(named: key)
        json.string(value.description)
      }
    }
    write(line)
  }
}
#endif
