// SPDX-License-Identifier: Apache-2.0
//
// Rewrites a uint8 model so that it computes in int8, as ObjectDetector and ImageLabeler do automatically.
//
//     swift run RewriteForInt8 coco_ssd.tflite

import Foundation
import FoveaMetadata
import FoveaModelFile
import FoveaRuntime

let path = CommandLine.arguments.dropFirst().first ?? "Sources/C/CEmbeddedModels/models/localizer_int8.tflite"

// The file is mapped, not read: only accessed pages are loaded into memory.
let stored = try ModelBytes(path: path)
guard let rewrite = try stored.withSpan({ (bytes) throws(MetadataError) in try Int8Rewrite(of: bytes) })
else {
  print("\(path) needs no rewrite: only plain uint8 models are rewritten")
  exit(0)
}
let exact = rewrite.channelCount - rewrite.roundedChannelCount
print("\(exact) of \(rewrite.channelCount) channels keep their weights exactly")

let fast = ModelBytes(count: rewrite.byteCount, name: path) { target in
  stored.withSpan { rewrite.write($0, into: &target) }
}
let model = try Model(fast)
print("input is now \(model.signatures[0].inputs[0])")
