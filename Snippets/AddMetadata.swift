// SPDX-License-Identifier: Apache-2.0
//
// Writes labels, normalisation and threshold into a model, so that MediaPipe and ML Kit need only one file.
//
//     swift run AddMetadata mobilenet.tflite labels.txt described.tflite

import Foundation
import Fovea
import FoveaMetadata

let arguments = CommandLine.arguments
let model = arguments.count > 1 ? arguments[1] : "Sources/C/CEmbeddedModels/models/coarse_int8.tflite"

var addition = MetadataAddition()
addition.labelFile = arguments.count > 2 ? arguments[2] : nil
addition.normalization = Normalization(mean: [127.5], standardDeviation: [127.5])
addition.threshold = 0.3
let described = try addition.described(.file(model))
if arguments.count > 3 { try Data(described).write(to: URL(filePath: arguments[3])) }

let metadata = try ModelMetadata.read(described)
print("\(described.count) bytes, threshold \(metadata?.outputs.first?.scoreThreshold ?? 0)")
