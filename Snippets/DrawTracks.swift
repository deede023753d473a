// SPDX-License-Identifier: Apache-2.0
//
// Draws boxes with identities, trails and a counting line on a video frame.
//
//     swift run DrawTracks

import FoveaGeometry
import FoveaImage
import FoveaRender

// A frame from a decoder: here grey, 320 × 240.
let size = PixelSize(width: 320, height: 240)
let layout = try PixelLayout(.grey, size: size)
let frame = try PixelBuffer(layout, bytes: [UInt8](repeating: 90, count: size.area))

// The last two seconds of each identity; memory is bounded.
var options = TrailOptions()
options.anchor = BoxAnchor.bottomCenter
var history = try TrailHistory(options: options)
var box = BoundingBox(x: 20, y: 60, width: 50, height: 90)
for number in 0..<25 {
  box = BoundingBox(x: 20 + 6 * Double(number), y: 60, width: 50, height: 90)
  history.update([(identity: 7, box: box)], at: Double(number) / 25)
}

// Canvas and frames are reused for each call.
let canvases = FrameCanvas()
let canvas = try canvases.canvas(of: frame)
let person = OverlayItem(
  box: box, caption: "#7 person 0.91", colorKey: "person", identity: 7, trail: history.trail(of: 7))
let line = OverlayCounter.Shape.line(from: PixelPoint(x: 160, y: 0), to: PixelPoint(x: 160, y: 240))
let counter = OverlayCounter(shape: line, caption: "1 in, 0 out", color: IdentityPalette.color(for: 1))
print("\(try Overlay().draw([person], counters: [counter], on: canvas)) box drawn")
