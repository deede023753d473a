// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaRuntime
import FoveaTesting
import TensorFlowLite
import Testing

/// The interpreter compared with a session on real models.
@Suite(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)))
struct RealModelTests {
  static let models = [
    "detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite", "detect/automl_traffic_model.tflite",
    "detect/mobile_object_localizer_v1_1_default_1.tflite", "detect/yolox_nano.tflite",
    "classify/tfls_mobilenet_v2_1.0_224_quant.tflite", "classify/mlkit_bird.tflite",
    "classify/tfls_mobilenet_v1_0.25_224_1_default_1.tflite",
    "classify/vww_person_mobilenet_v1_0.25_96_int8.tflite",
    "own/localizer_int8.tflite", "own/coarse_fp16.tflite",
  ]

  @Test(arguments: models)
  func `each output equals a session's, byte for byte`(_ name: String) throws {
    let path = SharedData.path("models/" + name)
    let session = try Session(model: Model(path: path))
    let interpreter = try TestModels.ready(path)
    #expect(interpreter.inputTensorCount == session.inputs.count)
    #expect(interpreter.outputTensorCount == session.outputs.count)
    for index in session.inputs.indices {
      let tensor = session.inputs[index]
      let count = try #require(tensor.elementCount)
      let data =
        tensor.elementType == .float32
        ? Data(floats: (0..<count).map { Float($0 % 255) / 255 })
        : Data.pattern(try #require(tensor.byteCount))
      let copied = try interpreter.copy(data, toInputAt: index)
      #expect(copied.name == tensor.name)
      #expect(copied.shape.dimensions == tensor.shape)
      unsafe session.withUnsafeInputBytes(index) { bytes in _ = unsafe data.copyBytes(to: bytes) }
    }
    try session.run()
    try interpreter.invoke()
    for index in session.outputs.indices {
      let output = try interpreter.output(at: index)
      #expect(output.name == session.outputs[index].name)
      #expect(output.shape.dimensions == session.outputs[index].shape)
      let expected = unsafe session.withUnsafeOutputBytes(index) { bytes in unsafe Data(bytes) }
      #expect(output.data == expected)
    }
  }
}
