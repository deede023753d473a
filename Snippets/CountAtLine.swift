// SPDX-License-Identifier: Apache-2.0
//
// Counts objects that cross a line or are in a zone, from the boxes of a tracker.
//
//     swift run CountAtLine

import FoveaGeometry
import FoveaTracking

// The anchor of an object: the centre of its lower edge, where feet and wheels are.
var options = CountingOptions()
options.anchor = .bottomCenter
var line = try LineCounter(
  from: PixelPoint(x: 320, y: 0), to: PixelPoint(x: 320, y: 480), options: options)
var zone = try ZoneCounter(
  [(400, 0), (640, 0), (640, 480), (400, 480)].map { PixelPoint(x: $0.0, y: $0.1) })

var tracker = FoveaTracker()
for number in 1...30 {
  let x = 100 + 15 * Double(number)
  let box = BoundingBox(minX: x, minY: 100, maxX: x + 40, maxY: 200)
  let answers = tracker.update(
    [TrackingDetection(box: box, score: 0.9, classIndex: 0)], at: FrameTime(number: number))
  let objects: [CountedObject] = answers.compactMap { answer in
    answer.identity.map { CountedObject(identity: $0, box: answer.box, classIndex: answer.classIndex) }
  }
  let crossings: [LineCrossing] = line.update(objects, known: tracker.knownIdentities)
  for crossing in crossings {
    let direction: LineCrossing.Direction = crossing.direction
    print("frame \(number): \(crossing.identity) crossed the line, \(direction)")
  }
  let events: [ZoneEvent] = zone.update(objects, known: tracker.knownIdentities)
  for event in events where event.kind == ZoneEvent.Kind.entered {
    print("frame \(number): \(event.identity) entered the zone")
  }
}
let lineCounts: LineCounts = line.counts
let zoneCounts: ZoneCounts = zone.counts
print("in \(lineCounts.in), out \(lineCounts.out); in the zone: \(zoneCounts.inside)")

do {
  _ = try ZoneCounter([PixelPoint(x: 0, y: 0), PixelPoint(x: 9, y: 9)])
} catch {
  print(error.code == CountingCode.invalidZone)
  print("\(error)")
}
