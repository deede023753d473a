// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaGeometry
import FoveaHTTP
import FoveaCore

/// What is known of a source.
struct StreamStatus: Sendable {
  /// Where a source is between its first viewer and its last.
  enum Stage: String, Sendable {
    /// No one watches.
    case idle
    /// It is being opened.
    case starting
    case running
    /// It broke off, and is being opened again.
    case reconnecting
    /// It cannot be opened, or was lost for good; the next viewer tries again.
    case failed
    /// It has come to its end; the next viewer begins again.
    case ended
  }

  var stage = Stage.idle
  /// Why it failed, or broke off.
  var lastError: Refusal?
  /// The size of its stored frames.
  var size: PixelSize?
  /// Frames that were processed since the server began.
  var frames = 0

  /// Its JSON object; `viewers` is how many watch.
  func append(_ entry: StreamEntry, viewers: Int, to json: inout JSONText) {
    json.member("name", entry.name)
    json.member("state", stage.rawValue)
    if let lastError { json.member("lastError", lastError) }
    if let size {
      json.member("width", size.width)
      json.member("height", size.height)
    }
    json.member("frames", frames)
    json.member("viewers", viewers)
    for (name, shapes) in [("lines", entry.settings.lines), ("zones", entry.settings.zones)]
    where !shapes.isEmpty {
      json.key(named: name)
      json.array(shapes) { json, numbers in
        json.array(numbers) { $0.number($1, places: 2) }
      }
    }
  }

  /// What viewers are sent when it ends: its state and error, on one line.
  func line(name: String) -> String {
    JSONText.text(capacity: 256) { json in
      json.member("type", "state")
      json.member("name", name)
      json.member("state", stage.rawValue)
      if let lastError { json.member("error", lastError) }
    }
  }
}
#endif
