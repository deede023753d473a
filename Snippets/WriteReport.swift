// SPDX-License-Identifier: Apache-2.0
//
// Writes the objects that were found in some photos as one HTML page.
//
//     swift run WriteReport report.html a.jpg b.jpg

import Foundation
import Fovea
import FoveaImage
import FoveaRender

let arguments = CommandLine.arguments
let page =
  arguments.count > 1
  ? arguments[1]
  : FileManager.default.temporaryDirectory.appending(path: "fovea-report-\(UUID().uuidString).html").path
let photos =
  arguments.count > 2
  ? Array(arguments[2...]) : ["Examples/photos/coffee.jpg", "Examples/photos/cat.jpg", "nothere.jpg"]

var options = HTMLReport.Options()
options.title = "Objects in my photos"
options.facts = [HTMLReport.Fact(name: "Model", value: "built in")]
let report = try HTMLReport(path: page, options: options)

let detector = try await ObjectDetector()
for photo in photos {
  do {
    let result = try await detector.analyze(.file(photo))
    // Detections are in pixels of the stored image; the page shows it upright.
    let findings = result.objects.map { object in
      HTMLReport.Finding(
        label: object.labels.first?.text ?? "", score: Double(object.score),
        box: result.orientation.uprightBox(fromStored: object.box, stored: result.size))
    }
    var image = HTMLReport.Image(
      name: photo, size: result.orientation.uprightSize(ofStored: result.size), answer: .objects(findings))
    image.stages = [HTMLReport.Stage(name: "total", duration: result.timings.total)]
    image.thumbnail = try Thumbnail(of: EncodedImage(path: photo))
    try report.add(image)
  } catch let error as FoveaError {
    let answer: HTMLReport.Answer = .failure(
      code: error.code.rawValue, message: error.message, remedy: "\(error.remedy)")
    try report.add(HTMLReport.Image(name: photo, size: nil, answer: answer))
  }
}
try report.finish()

let bytes = try Data(contentsOf: URL(filePath: page)).count
print("\(photos.count) photos, \(bytes / 1_000) kB in \(page)")
if arguments.count <= 1 { try FileManager.default.removeItem(atPath: page) }
