// SPDX-License-Identifier: Apache-2.0
//
// Shows what goes wrong and how to tell it apart: every error has a code for programs, and a message and a remedy
// for people.
//
//     swift run HandleErrors picture.jpg

import Fovea
import FoveaDetection
import FoveaGeometry
import FoveaImage
import FoveaLabeling
import FoveaMetadata
import FoveaModelFile
import FoveaRender
import FoveaRuntime

let path = CommandLine.arguments.dropFirst().first ?? "no-such-picture.jpg"
let localizer = "Sources/C/CEmbeddedModels/models/localizer_int8.tflite"

// Fovea itself throws one type; where the failure began in a module below, `cause` is that module's error.
do throws(FoveaError) {
  let objects = try await ObjectDetector().detect(in: .file(path))
  print("\(path): \(objects.count) objects")
} catch {
  switch error.cause {
  case let cause as ImageError where cause.code == ImageCode.notFound:
    print("There is no picture at \(cause.subject ?? path)")
  default: print("[\(error.code)] \(error.message). \(error.remedy).")
  }
}

do throws(FoveaError) {
  var options = ObjectDetector.Options()
  options.threshold = 7
  _ = try await ObjectDetector(options: options)
} catch {
  print(error.code == FoveaError.Code.optionInvalid ? "An option: \(error)" : "\(error)")
}

// The modules below throw errors of their own.
do throws(RuntimeError) {
  _ = try Model(bytes: Array("not a model".utf8), name: "text")
} catch {
  print(error.code == RuntimeError.Code.modelInvalid ? "Not a model: \(error)" : "\(error)")
}
do throws(MetadataError) {
  _ = try ModelMetadata.read(Array("not a model".utf8))
} catch {
  print(error.code == MetadataError.Code.notAModel ? "No metadata: \(error.remedy)" : "\(error)")
}
do throws(RenderError) {
  var style = OverlayStyle()
  style.scale = -1
  try Overlay(style: style).draw([], on: PixelCanvas(size: PixelSize(width: 64, height: 64)))
} catch {
  print(error.code == RenderError.Code.invalidStyle ? "A style: \(error)" : "\(error)")
}

// A classifier is no detector, and the other way round.
do {
  let model = try Model(path: localizer)
  let signature = model.signatures[0]
  _ = try ClassifierHead(modelName: model.name, signature: signature)
} catch let error as LabelingError where error.code == LabelingError.Code.notAClassifier {
  print("Labels: \(error.message)")
}
do {
  let model = try Model(path: localizer)
  let recognizer = DetectorRecognizer(modelName: model.name, signature: model.signatures[0], metadata: nil)
  _ = try recognizer.decoder(family: .ssdPostProcess)
} catch let error as DetectionError where error.code == DetectionError.Code.familyMismatch {
  print("Boxes: \(error.remedy)")
}
