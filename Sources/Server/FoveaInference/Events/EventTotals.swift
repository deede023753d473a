// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaFormats
import FoveaHTTP
import FoveaTracking

/// The number of messages of each kind that a journal has had, also in files that it has removed.
struct EventTotals: Sendable, Hashable {
  /// The messages that are counted together.
  private struct Group: Sendable, Hashable {
    let source: String
    let kind: String
    /// The zone of an `entered`, or the line of a `crossed`; nil for other messages.
    var place: String?
    /// The direction of a `crossed`; nil for other messages.
    var direction: String?
  }

  private var counts: [Group: Int] = [:]

  init() {}

  /// Adds the next line of the journal; one that is not a message changes nothing.
  mutating func add(_ line: ArraySlice<UInt8>) {
    guard let head = EventLine.Head(line), let source = head.source else { return }
    var group = Group(
      source: String(decoding: source, as: UTF8.self), kind: String(decoding: head.kind, as: UTF8.self))
    switch ObjectEvent.Kind(rawValue: group.kind) {
    case .entered: group.place = EventLine(line)?["zone"]
    case .crossed:
      let message = EventLine(line)
      (group.place, group.direction) = (message?["line"], message?["direction"])
    default: break
    }
    counts[group, default: 0] += 1
  }

  /// Returns the number of messages.
  /// - Parameters:
  ///   - kind: The kind of the messages.
  ///   - source: The source's name.
  ///   - place: The zone of an `entered`, or the line of a `crossed`; nil for all.
  ///   - direction: The direction of a `crossed`; nil for both.
  /// - Returns: The number, 0 if there were none.
  func count(
    of kind: ObjectEvent.Kind, in source: String, at place: String? = nil, direction: String? = nil
  ) -> Int {
    counts.reduce(0) { sum, entry in
      let group = entry.key
      let isCounted =
        group.source == source && group.kind == kind.rawValue && (place == nil || group.place == place)
        && (direction == nil || group.direction == direction)
      return isCounted ? sum + entry.value : sum
    }
  }
}

extension EventTotals {
  /// Reads what `append` has written; nil for anything else.
  init?(_ value: JSONValue?) {
    guard case .array(let groups) = value else { return nil }
    for group in groups {
      guard let source = group["source"]?.text, let kind = group["type"]?.text,
        let count = group["count"]?.digits.flatMap({ Int($0) }), (0..<Int.max / 2).contains(count)
      else { return nil }
      counts[
        Group(
          source: source, kind: kind, place: group["place"]?.text, direction: group["direction"]?.text)] =
        count
    }
  }

  /// Writes the numbers as the member `counts`.
  func append(to json: inout JSONText) {
    json.objects("counts", Array(counts)) { json, entry in
      json.member("source", entry.key.source)
      json.member("type", entry.key.kind)
      json.member("place", entry.key.place)
      json.member("direction", entry.key.direction)
      json.member("count", entry.value)
    }
  }
}

// Only configured sources, zones and lines have metrics; the numbers of others are kept for their return.
extension EventTotals {
  /// Returns the messages of sources, by type.
  func messages(of sources: [StreamEntry]) -> [Metrics.Reading] {
    sources.flatMap { source in
      ObjectEvent.Kind.allCases.map { kind in
        .init(Double(count(of: kind, in: source.name)), ["stream", source.name, "type", kind.rawValue])
      }
    }
  }

  /// Returns the entries into the zones of sources.
  func entries(of sources: [StreamEntry]) -> [Metrics.Reading] {
    sources.flatMap { source in
      ShapeNames(zones: source.settings.zones.map(\.name)).allZones.map { zone in
        .init(
          Double(count(of: .entered, in: source.name, at: zone)), ["stream", source.name, "zone", zone])
      }
    }
  }

  /// Returns the crossings of the lines of sources, by direction.
  func crossings(of sources: [StreamEntry]) -> [Metrics.Reading] {
    sources.flatMap { source in
      ShapeNames(lines: source.settings.lines.map(\.name)).allLines.flatMap { line in
        ["in", "out"].map { direction in
          .init(
            Double(count(of: .crossed, in: source.name, at: line, direction: direction)),
            ["stream", source.name, "line", line, "direction", direction])
        }
      }
    }
  }
}
#endif
