// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaGeometry
import FoveaFormats
import FoveaHTTP
import FoveaCore

/// The status of a source.
struct StreamStatus: Sendable {
  /// The stages of a source.
  enum Stage: String, Sendable {
    /// It has no viewers.
    case idle
    /// It is being opened.
    case starting
    case running
    /// It was interrupted, and is being reopened.
    case reconnecting
    /// It cannot be opened, or was lost for good; the next viewer retries.
    case failed
    /// It has reached its end; the next viewer restarts it.
    case ended
  }

  var stage = Stage.idle
  /// The reason it failed or was interrupted.
  var lastError: Refusal?
  /// The size of its stored frames.
  var size: PixelSize?
  /// The notes on lines and zones that have no part in frames of this size, or are in fractions.
  var notes: [String] = []
  /// The number of frames processed since the server started.
  var frames = 0

  /// Writes its JSON object; `viewers` is their number.
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
    let (lines, zones) = (entry.settings.lines, entry.settings.zones)
    let names = ShapeNames(lines: lines.map(\.name), zones: zones.map(\.name))
    for (name, shapes, given) in [("line", lines, names.allLines), ("zone", zones, names.allZones)]
    where !shapes.isEmpty {
      json.key(named: name + "s")
      json.array(shapes) { json, shape in
        json.array(shape.points) { $0.number($1, places: 2) }
      }
      json.key(named: name + "Names")
      json.array(given) { $0.string($1) }
    }
    if !notes.isEmpty {
      json.key(named: "notes")
      json.array(notes) { $0.string($1) }
    }
  }

  /// Returns the line for viewers when it ends: its state and error.
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
