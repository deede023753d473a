// SPDX-License-Identifier: Apache-2.0
//
// Draws boxes and labels on an image and writes it as a JPEG.
//
//     swift run DrawOverlay street.jpg street-boxes.jpg

import Foundation
import Fovea
import FoveaImage
import FoveaRender

let arguments = CommandLine.arguments
let path = arguments.count > 1 ? arguments[1] : "Examples/photos/coffee.jpg"
let output =
  arguments.count > 2
  ? URL(filePath: arguments[2])
  : FileManager.default.temporaryDirectory.appending(path: "fovea-overlay-\(UUID().uuidString).jpg")

let image = try EncodedImage(path: path)
let objects = try await ObjectDetector().detect(in: .file(path))

// Detections are in pixels of the stored image; the canvas is upright.
let items = objects.map { object in
  let name = object.labels.first?.text ?? ""
  return OverlayItem(
    box: image.orientation.uprightBox(fromStored: object.box, stored: image.size),
    caption: "\(name) \(Int(object.score * 100)) %", colorKey: name)
}

var style = OverlayStyle()
style.scale = 1.25
let canvas: PixelCanvas = try image.canvas()
let captions = try Overlay(style: style).draw(items, on: canvas)
let file = try canvas.encoded(as: .jpeg, quality: 85)
try Data(file).write(to: output)
print("\(objects.count) boxes and \(captions) captions drawn, \(file.count) bytes written to \(output.path)")

// The same name has the same colour in every image, so a legend can rely on it.
for name in Set(items.map(\.colorKey)).sorted() {
  let color: RGBColor = ClassPalette.color(for: name)
  print("  \(name.isEmpty ? "without a label" : name): \(color), text on it \(color.textColor)")
}
if arguments.count <= 2 { try FileManager.default.removeItem(at: output) }
