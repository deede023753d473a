// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaGeometry
import FoveaTracking

/// The lines and zones of a run.
struct FrameCounters: Sendable {
  private(set) var lines: [LineCounter]
  private(set) var zones: [ZoneCounter]

  /// Makes counters for what the command line names.
  init(lines: [LineArgument], zones: [ZoneArgument], memory: Int) throws(FoveaError) {
    var options = CountingOptions()
    options.memoryFrames = max(1, memory)
    do {
      self.lines = try lines.map {
        let numbers = $0.numbers
        return try LineCounter(
          from: PixelPoint(x: numbers[0], y: numbers[1]), to: PixelPoint(x: numbers[2], y: numbers[3]),
          options: options)
      }
      self.zones = try zones.map { zone in
        let corners = stride(from: 0, to: zone.numbers.count, by: 2).map {
          PixelPoint(x: zone.numbers[$0], y: zone.numbers[$0 + 1])
        }
        return try ZoneCounter(corners, options: options)
      }
    } catch {
      throw FoveaError(error)
    }
  }

  var isEmpty: Bool { lines.isEmpty && zones.isEmpty }

  /// Takes the objects of one frame.
  mutating func update(_ objects: [DetectedObject]) {
    let counted = objects.compactMap { object in
      object.trackID.map {
        CountedObject(identity: $0, box: object.box, classIndex: object.labels.first?.index)
      }
    }
    for index in lines.indices { lines[index].update(counted) }
    for index in zones.indices { zones[index].update(counted) }
  }

  /// What was counted by now.
  var table: CountTable { CountTable(lines: lines.map(\.counts), zones: zones.map(\.counts)) }
}
