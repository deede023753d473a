// SPDX-License-Identifier: Apache-2.0
//
// Shows errors and how to distinguish them: each has a code for programs, and a message and a remedy for
// people.
//
//     swift run HandleErrors photo.jpg

import Fovea
import FoveaDecoding
import FoveaEvaluation
import FoveaFlow
import FoveaGeometry
import FoveaImage
import FoveaMetadata
import FoveaModelFile
import FoveaModels
import FoveaRender
import FoveaRuntime
import FoveaTracking
import FoveaVideo

let path = CommandLine.arguments.dropFirst().first ?? "no-such-photo.jpg"
let localizer = "Sources/C/CEmbeddedModels/models/localizer_int8.tflite"

// Fovea itself throws one error type, whose code can be that of any module.
do throws(FoveaError) {
  let objects = try await ObjectDetector().detect(in: .file(path))
  print("\(path): \(objects.count) objects")
} catch {
  switch error.code {
  case ImageCode.notFound: print("There is no image at \(error.subject ?? path)")
  case FoveaCode.optionInvalid: print("An option: \(error)")
  default: print("[\(error.code)] \(error.message). \(error.remedy).")
  }
}

// The modules below throw their own errors, all of the same generic type.
func report<Code: FailureCode>(_ what: String, _ error: Failure<Code>) {
  let remedy: Advice = error.remedy
  print("\(what): \(error.message). \(remedy).")
}

do throws(RuntimeError) {
  _ = try Model(bytes: Array("not a model".utf8), name: "text")
} catch {
  report(error.code == RuntimeCode.modelInvalid ? "Not a model" : "Another reason", error)
}
do throws(MetadataError) {
  _ = try ModelMetadata.read(Array("not a model".utf8))
} catch {
  report(error.code == MetadataCode.notAModel ? "No metadata" : "Another reason", error)
}
do throws(RenderError) {
  var style = OverlayStyle()
  style.scale = -1
  try Overlay(style: style).draw([], on: PixelCanvas(size: PixelSize(width: 64, height: 64)))
} catch {
  report(error.code == RenderCode.invalidStyle ? "A style" : "Another reason", error)
}

// A classifier is not a detector, and vice versa.
do {
  let model = try Model(path: localizer)
  _ = try ClassifierHead(modelName: model.name, signature: model.signatures[0])
} catch let error as LabelingError where error.code == LabelingCode.notAClassifier {
  report("Labels", error)
}
do {
  let model = try Model(path: localizer)
  let recognizer = DetectorRecognizer(modelName: model.name, signature: model.signatures[0], metadata: nil)
  _ = try recognizer.decoder(family: .ssdPostProcess)
} catch let error as DetectionError where error.code == DetectionCode.familyMismatch {
  report("Boxes", error)
}

// The same remedy often applies to codes of several modules: here, to try again later.
let transient = [
  FoveaCode(VideoCode.unreachable), FoveaCode(VideoCode.timedOut), FoveaCode(ModelStoreCode.timeout),
  FoveaCode(ModelStoreCode.serverError),
]
print("Try again for \(transient.map(\.rawValue)).")

// Your own error for the same cause, for example from a source of frames or a program that draws zones.
let zone = CountingError(.invalidZone, "The zone has 2 corners, 3 or more expected", remedy: "Click again")
let size = FlowError(.sizeMismatch, "The camera has changed its size", remedy: "Start again")
let wrongInput = [
  FoveaCode(zone.code), FoveaCode(size.code), FoveaCode(TrackingCode.unknownParameter),
  FoveaCode(EvaluationCode.notJSON),
]
report("Correct the input for \(wrongInput.map(\.rawValue)), for example", zone)
