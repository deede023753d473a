// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaFormats
import FoveaHTTP
import FoveaCore

/// The messages to a live connection: JSON objects whose `type` comes first.
enum LiveReply {
  /// The maximum number of frames without an answer; of those waiting, the newest is kept.
  static let window = 2

  /// Returns the message for accepted settings: `ready` after a start, `change` after a change.
  static func settings(
    _ kind: LiveRequest.Kind, _ settings: LiveSettings, _ model: ServedModel, maximumBytes: Int
  ) throws(Refusal) -> String {
    let task = try settings.task(of: model)
    return message(kind == .start ? "ready" : "change") { json in
      json.member("model", model.name)
      json.member("task", task.rawValue)
      json.key("threshold")
      json.number(settings.threshold.map(Double.init), places: 6)
      json.member("every", settings.every ?? 1)
      json.member("allow", settings.allow)
      json.member("deny", settings.deny)
      json.member("masks", settings.masks.rawValue)
      json.member("window", window)
      json.member("maxBytes", maximumBytes)
      json.member("labels", model.labels)
      json.member(model.keypointSet, threshold: model.keypointThreshold)
    }
  }

  /// Returns the message with a frame's contents; `members` writes the members of the command line's JSON
  /// lines.
  static func result(_ sequence: UInt32, _ members: (inout JSONText) -> Void) -> String {
    message("result") { json in
      json.member("sequence", Int(sequence))
      members(&json)
    }
  }

  /// Returns the message for a frame that a newer one has replaced.
  static func dropped(_ sequence: UInt32) -> String {
    message("dropped") { $0.member("sequence", Int(sequence)) }
  }

  /// Returns the message for a failed frame or text message; `sequence` is null for a text message.
  static func error(_ sequence: UInt32?, _ refusal: Refusal) -> String {
    message("error") { json in
      json.member("sequence", sequence.map(Int.init))
      json.member("error", refusal)
    }
  }

  /// Returns the message for a server that is shutting down; the seconds are random, so that clients do not
  /// all reconnect at once.
  static func draining() -> String {
    message("draining") { $0.member("retryAfterSeconds", Int.random(in: 1...5)) }
  }

  private static func message(_ type: String, _ members: (inout JSONText) -> Void) -> String {
    JSONText.text(capacity: 1024) { json in
      json.member("type", type)
      members(&json)
    }
  }
}
#endif
