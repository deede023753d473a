// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Reads a batch of events: `{"events": [{"id": …, "kind": "exposure", …}]}`.
///
/// An event with malformed or unknown members is refused by itself; only a body without such an object, or
/// with another member, is refused as a whole. Ignored, `vaule` of a metric would count as the value 1.
package enum EventReader {
  /// The maximum size in bytes and number of events of a batch.
  package static let mostBytes = 256 << 10
  package static let mostEvents = 500

  /// - Throws: `invalid` for anything but JSON with an array `events` of at most ``mostEvents`` elements.
  package static func events(_ body: [UInt8]) throws(HostError) -> [AppEvent] {
    var reader = JSONReader(bytes: body, name: "The body")
    reader.longestString = mostBytes
    do throws(JSONFailure) {
      guard let events = try batch(&reader) else {
        throw JSONFailure(.mismatch, "events", "at most \(mostEvents) are accepted at a time")
      }
      return events
    } catch {
      throw HostError(
        .invalid, error.message, remedy: "Send {\"events\": […]} with at most \(mostEvents) events")
    }
  }

  /// Nil if there are too many.
  private static func batch(_ reader: inout JSONReader) throws(JSONFailure) -> [AppEvent]? {
    guard try reader.take(UInt8(ascii: "{")) else { throw reader.mismatch("an object is needed") }
    var found: [AppEvent]?
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      guard key == JSONKey("events") else { throw reader.unknownMember(among: ["events"]) }
      guard try reader.take(UInt8(ascii: "[")) else { throw reader.mismatch("'events' is not an array") }
      var events: [AppEvent] = []
      var isFirstEvent = true
      while try reader.nextElement(&isFirstEvent) {
        guard events.count < mostEvents else { return nil }
        events.append(try event(&reader))
      }
      found = events
    }
    try reader.expectEnd()
    guard let found else { throw JSONFailure(.mismatch, "The body", "'events' is missing") }
    return found
  }

  private static func event(_ reader: inout JSONReader) throws(JSONFailure) -> AppEvent {
    var event = AppEvent()
    guard try reader.take(UInt8(ascii: "{")) else {
      try reader.skip()
      return event
    }
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      switch key {
      case Keys.id: event.id = try reader.optionalString()
      case Keys.kind: event.kind = try reader.optionalString()
      case Keys.experiment: event.experiment = try reader.optionalString()
      case Keys.variant: event.variant = try reader.optionalString()
      case Keys.name: event.name = try reader.optionalString()
      case Keys.unit: event.unit = try reader.optionalString()
      case Keys.time: event.time = try reader.optionalString()
      case Keys.value:
        let isNull = try reader.peek() == UInt8(ascii: "n")
        event.value = try reader.optionalNumber()
        event.hasOddValue = event.value == nil && !isNull
      default:
        if event.unknownMember == nil {
          event.unknownMember = reader.unknownMember(of: "an event", among: Keys.names).reason
        }
        try reader.skip()
      }
    }
    return event
  }

  private enum Keys {
    static let names = ["id", "kind", "experiment", "variant", "name", "unit", "time", "value"]
    static let id = JSONKey("id")
    static let kind = JSONKey("kind")
    static let experiment = JSONKey("experiment")
    static let variant = JSONKey("variant")
    static let name = JSONKey("name")
    static let unit = JSONKey("unit")
    static let time = JSONKey("time")
    static let value = JSONKey("value")
  }
}
#endif
