// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaGeometry
package import FoveaTracking

/// One line with a JSON object for each message about an object.
package struct EventJSONWriter: Sendable {
  /// The name of the source.
  package let source: String
  /// The moment of second 0 of the source, in milliseconds since 1970-01-01T00:00:00Z; nil if unknown.
  package let start: Int64?
  /// The source's name in ids.
  private let stem: String
  /// The number of the last message, over all objects.
  package private(set) var number = 0

  /// Creates a writer whose messages are numbered from 1.
  package init(source: String, start: Int64? = nil) {
    self.init(source: source, stem: Self.fileName(source), start: start)
  }

  /// Creates the writer of a message of a source with a name that is not a path.
  package init(named source: String, start: Int64) {
    self.init(source: source, stem: ShapeName.fitted(source), start: start)
  }

  private init(source: String, stem: String, start: Int64?) {
    self.source = source
    self.stem = stem
    self.start = start
  }

  /// Returns the line of a message.
  /// - Parameters:
  ///   - event: The message, with boxes in pixels of the upright frame.
  ///   - size: The size of the upright frame; nil if unknown.
  /// - Returns: The line with its end.
  package mutating func text(for event: ObjectEvent, in size: PixelSize?) -> String {
    number += 1
    return text(for: event, in: size, number: number, startTime: time(at: event.startSeconds))
  }

  /// Returns the line of a message whose number is given.
  /// - Parameters:
  ///   - event: The message, with boxes in pixels of the upright frame.
  ///   - size: The size of the upright frame; nil if unknown.
  ///   - number: The number of the message, over all objects.
  ///   - startTime: The moment of the object's start as RFC 3339; nil if unknown.
  ///   - hasSnapshot: True if a server has an image of the event; false by default.
  /// - Returns: The line with its end.
  package func text(
    for event: ObjectEvent, in size: PixelSize?, number: Int, startTime: String?, hasSnapshot: Bool = false
  ) -> String {
    let id = id(of: event, startTime)
    return JSONText.line(capacity: 640) { json in
      json.member("event_type", event.kind.rawValue)
      json.member("id", id)
      json.member("number", number)
      json.member("sequence", event.sequence)
      json.member("source", source)
      append(event, in: size, startTime, to: &json)
      appendDetails(of: event, to: &json)
      json.member("snapshot", hasSnapshot ? "/v1/events/\(id)/snapshot.jpg" : nil)
    }
  }

  private func append(
    _ event: ObjectEvent, in size: PixelSize?, _ startTime: String?, to json: inout JSONText
  ) {
    let object = event.object
    json.member("label", object.label)
    json.member("trackingID", object.identity)
    json.member("score", object.score, places: 6)
    json.member("topScore", event.topScore, places: 6)
    json.member("box") { json in
      json.member("x", object.box.minX, places: 2)
      json.member("y", object.box.minY, places: 2)
      json.member("width", object.box.width, places: 2)
      json.member("height", object.box.height, places: 2)
    }
    json.member("width", size?.width)
    json.member("height", size?.height)
    json.member("frame", event.frame)
    json.member("seconds", event.seconds, places: 6)
    json.member("time", time(at: event.reportedSeconds))
    json.member("startTime", startTime)
    json.member("duration", event.duration, places: 3)
    json.member("still", event.isStill)
    json.member("zones") { json in
      for stay in event.stays {
        json.key(named: stay.zone)
        json.number(stay.seconds, places: 3)
      }
    }
  }

  private func appendDetails(of event: ObjectEvent, to json: inout JSONText) {
    if let zone = event.zone {
      json.member("zone", zone)
      json.member("dwell", event.dwell, places: 3)
    }
    if let line = event.line, let direction = event.direction {
      json.member("line", line)
      json.member("direction", direction == .in ? "in" : "out")
    }
    if let reason = event.reason {
      json.member("endTime", time(at: event.seconds))
      json.member("reason", reason.rawValue)
    }
  }

  /// Returns the moment of a time of the source as RFC 3339; nil if the start is unknown.
  private func time(at seconds: Double) -> String? {
    start.map { CivilDate.text(milliseconds: $0 + Self.milliseconds(seconds)) }
  }

  private func id(of event: ObjectEvent, _ startTime: String?) -> String {
    if let startTime { return id(startTime: startTime, startIdentity: event.startIdentity) }
    return "\(stem)-\(DecimalText.fixed(event.startSeconds, places: 3))-\(event.startIdentity)"
  }

  /// Returns the id of an event: the source, the moment of the start as RFC 3339, and the identity then.
  package func id(startTime: String, startIdentity: Int) -> String {
    "\(stem)-\(startTime.filter { $0 != "-" && $0 != ":" })-\(startIdentity)"
  }

  /// Returns a time of a source in milliseconds, within a century.
  package static func milliseconds(_ seconds: Double) -> Int64 {
    // A century from the start; hostile times of a file must not overflow.
    Int64((min(max(seconds, -3e9), 3e9) * 1000).rounded())
  }

  /// Returns a path's name for a file name and a topic: its last part without the extension.
  private static func fileName(_ source: String) -> String {
    let last = source.split(separator: "/").last ?? "source"
    return ShapeName.fitted(last.split(separator: ".").first ?? last)
  }
}
