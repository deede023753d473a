// SPDX-License-Identifier: Apache-2.0
//
// Reports who came, entered a zone, stayed there, crossed a line and has gone, from the boxes of a tracker.
//
//     swift run WatchZones

import FoveaGeometry
import FoveaTracking

let drive = CountingZone(
  "drive", [(200, 0), (420, 0), (420, 480), (200, 480)].map { PixelPoint(x: $0.0, y: $0.1) }, dwell: 0.4)
let door = CountingLine("door", from: PixelPoint(x: 500, y: 0), to: PixelPoint(x: 500, y: 480))
var events = try ObjectEvents(lines: [door], zones: [drive], threshold: 0.5)

func report(_ event: ObjectEvent) {
  let kind: ObjectEvent.Kind = event.kind
  var text = "\(event.seconds) s: object \(event.life) \(kind.rawValue)"
  if let zone = event.zone, let dwell = event.dwell { text += " \(zone) after \(dwell) s" }
  if let line = event.line { text += " \(line)" }
  if let reason: ObjectEvent.Reason = event.reason { text += ": \(reason.rawValue)" }
  let stays: [ObjectEvent.Stay] = event.stays
  print(text, "in", stays.map(\.zone))
}

var tracker = FoveaTracker()
for number in 1...30 {
  let x = 100 + 15 * Double(number)
  let box = BoundingBox(minX: x, minY: 100, maxX: x + 40, maxY: 200)
  let answers = tracker.update(
    [TrackingDetection(box: box, score: 0.9, classIndex: 0)], at: FrameTime(number: number))
  let objects: [ObservedObject] = answers.compactMap { answer in
    answer.identity.map { ObservedObject(identity: $0, label: "person", score: 0.9, box: answer.box) }
  }
  events.update(objects, frame: number, seconds: Double(number - 1) / 25).forEach(report)
}
events.finish(.sourceEnded).forEach(report)

for (zone, stays) in zip(events.zones, events.stays as [ZoneStays]) {
  print("\(zone.name): \(stays.count) stays, the longest \(stays.maximum) s")
}
