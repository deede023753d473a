// SPDX-License-Identifier: Apache-2.0
//
// Makes an int8 model of a float model with your photos, and compares both.
//
//     swift run QuantizeModel float.tflite int8.tflite photos/

import Foundation
import Fovea
import FoveaTraining

let arguments = Array(CommandLine.arguments.dropFirst())
let isOwn = arguments.count == 3
let float = isOwn ? arguments[0] : "Tests/Fixtures/models/features.tflite"
let temporary = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).tflite"
let output = isOwn ? arguments[1] : temporary
defer { if !isOwn { try? FileManager.default.removeItem(atPath: temporary) } }
let folder = isOwn ? arguments[2] : "Examples/photos"
let photos = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  .filter { $0.hasSuffix(".jpg") }
  .map { ImageInput.file("\(folder)/\($0)") }

var options = Quantizer.Options()
options.leastAgreement = 0.9

do throws(FoveaError) {
  let quantizer = try Quantizer(.file(float), photos: photos, options: options)
  let made: QuantizedModel = try await quantizer.run()
  for error in made.errors { print("left out: \(error)") }
  for layer: QuantizedModel.Layer in made.layers where layer.isFloat { print("stays float: \(layer.name)") }
  let figures: ComparedModels = made.comparison
  print("\(figures.byteCounts.first) -> \(figures.byteCounts.second) bytes")
  do { try Data(made.bytes).write(to: URL(fileURLWithPath: output)) } catch { print(error) }

  let compared = try await ModelComparison(.file(float), .file(output)).run(photos)
  print("agreement on \(compared.photoCount) photos: \(compared.agreement ?? .nan)")
  if let accuracy: ComparedModels.Accuracy = compared.accuracy {
    print("accuracy: \(accuracy.first ?? .nan) -> \(accuracy.second ?? .nan)")
  }
  if let times = compared.processorTimes { print("processor time: \(times.first) -> \(times.second)") }
} catch {
  // A model that agrees too little is an error with the layers to blame, and no file.
  print("\(error.code == FoveaCode.agreementTooLow ? "int8 differs too much" : "failed"): \(error)")
}
