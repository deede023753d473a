// SPDX-License-Identifier: Apache-2.0
#if Server
import Hummingbird

/// The text formats of frames.
enum StreamText: Sendable {
  /// Server-sent events: the frame's number as `id`, its line as `data`.
  ///
  /// **Source:** HTML Living Standard, section 9.2.
  case events
  /// A JSON object per line.
  case lines

  /// The media type.
  var type: String {
    switch self {
    case .events: "text/event-stream"
    case .lines: "application/x-ndjson"
    }
  }

  /// Returns an event as text; nil if this format has none for it.
  func text(of event: StreamViewer.Event, name: String) -> ByteBuffer? {
    switch (event, self) {
    case (.frame(let frame), .lines): return frame.line
    case (.frame(let frame), .events):
      var buffer = ByteBuffer(string: "id: \(frame.number)\ndata: ")
      var line = frame.line
      buffer.writeBuffer(&line)
      buffer.writeString("\n")
      return buffer
    // A comment, so that proxies keep the connection open.
    case (.tick, .events): return ByteBuffer(string: ":\n\n")
    case (.tick, .lines): return nil
    case (.end(let status), .lines): return ByteBuffer(string: status.line(name: name) + "\n")
    case (.end(let status), .events):
      return ByteBuffer(string: "event: state\ndata: \(status.line(name: name))\n\n")
    }
  }
}
#endif
