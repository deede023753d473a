// SPDX-License-Identifier: Apache-2.0

// The guide "Detect objects with an AutoML-trained model": the TensorFlow Lite interpreter with an AutoML
// Vision Edge export, or any model with the outputs of TFLite_Detection_PostProcess.
//
//   swift run AutoMLInterpreter MODEL.tflite dict.txt PHOTO [THRESHOLD]

import AppleShims
import Foundation
import TensorFlowLite

let arguments = CommandLine.arguments
guard arguments.count > 3 else {
  print("usage: AutoMLInterpreter MODEL.tflite dict.txt PHOTO [THRESHOLD]")
  exit(64)
}
let threshold = arguments.count > 4 ? Float32(arguments[4]) ?? 0.66 : 0.66

do {
  try run(modelPath: arguments[1], labelPath: arguments[2], photoPath: arguments[3])
} catch {
  print(error.localizedDescription)
  exit(1)
}

func run(modelPath: String, labelPath: String, photoPath: String) throws {
  // 1. Load the model.
  let interpreter = try Interpreter(modelPath: modelPath)
  try interpreter.allocateTensors()

  // 2. Prepare the image at the size of the model's input: [1, height, width, 3].
  let shape = try interpreter.input(at: 0).shape.dimensions
  guard let image = UIImage(contentsOfFile: photoPath)?.cgImage,
    let inputData = rgb(of: image, width: shape[2], height: shape[1])
  else {
    print("\(photoPath) is not an image that can be read.")
    exit(1)
  }

  // 3. Run the detector.
  try interpreter.copy(inputData, toInputAt: 0)
  try interpreter.invoke()

  // 4. Get the objects: boxes as (top, left, bottom, right), class numbers, confidences.
  let boundingBoxes = floats(of: try interpreter.output(at: 0))
  let labels = floats(of: try interpreter.output(at: 1))
  let probabilities = floats(of: try interpreter.output(at: 2))
  let labelText = try String(contentsOfFile: labelPath, encoding: .utf8).components(separatedBy: "\n")

  for i in probabilities.indices where probabilities[i] > threshold {
    let top = boundingBoxes[4 * i]
    let left = boundingBoxes[4 * i + 1]
    let bottom = boundingBoxes[4 * i + 2]
    let right = boundingBoxes[4 * i + 3]
    let labelIdx = Int(labels[i])
    let label = labelText.indices.contains(labelIdx) ? labelText[labelIdx] : "class \(labelIdx)"
    print("Object found: \(label) (confidence: \(probabilities[i]))")
    print("  Top-left: (\(left),\(top))")
    print("  Bottom-right: (\(right),\(bottom))")
  }
}

/// Returns the image scaled to the model's size, as red, green and blue bytes, row by row from the top.
func rgb(of image: CGImage, width: Int, height: Int) -> Data? {
  guard
    let context = CGContext(
      data: nil,
      width: width, height: height,
      bitsPerComponent: 8, bytesPerRow: width * 4,
      space: CGColorSpaceCreateDeviceRGB(),
      bitmapInfo: CGImageAlphaInfo.noneSkipFirst.rawValue)
  else { return nil }
  context.draw(image, in: CGRect(x: 0, y: 0, width: width, height: height))
  guard let imageData = context.data else { return nil }

  var inputData = Data(capacity: 3 * width * height)
  for row in 0..<height {
    for col in 0..<width {
      let offset = 4 * (row * context.width + col)
      // Byte 0 is the unused alpha channel.
      inputData.append(imageData.load(fromByteOffset: offset + 1, as: UInt8.self))
      inputData.append(imageData.load(fromByteOffset: offset + 2, as: UInt8.self))
      inputData.append(imageData.load(fromByteOffset: offset + 3, as: UInt8.self))
    }
  }
  return inputData
}

func floats(of tensor: Tensor) -> [Float32] {
  tensor.data.withUnsafeBytes { Array($0.bindMemory(to: Float32.self)) }
}
