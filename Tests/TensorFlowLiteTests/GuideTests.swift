// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Foundation
import FoveaTesting
import TensorFlowLite
import Testing

/// The steps of Google's guide "Detect objects with an AutoML-trained model" on the COCO detector and a
/// photo.
///
/// The guide's code is as printed except for three things: the side is this model's 300 instead of 320;
/// pixels are read at row × width + column, while the guide's `col * context.width + row` mirrors the image
/// at its diagonal; and the requirements of strict memory safety.
@Suite(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)))
struct GuideTests {
  private func input(of inputImage: CGImage?) -> Data? {
    guard let image: CGImage = inputImage else { return nil }
    guard
      let context = unsafe CGContext(
        data: nil,
        width: image.width, height: image.height,
        bitsPerComponent: 8, bytesPerRow: image.width * 4,
        space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGImageAlphaInfo.noneSkipFirst.rawValue
      )
    else {
      return nil
    }

    context.draw(image, in: CGRect(x: 0, y: 0, width: image.width, height: image.height))
    guard let imageData = unsafe context.data else { return nil }

    var inputData = Data()
    for row in 0..<300 {
      for col in 0..<300 {
        let offset = 4 * (row * context.width + col)
        // (Ignore offset 0, the unused alpha channel)
        var red = unsafe imageData.load(fromByteOffset: offset + 1, as: UInt8.self)
        var green = unsafe imageData.load(fromByteOffset: offset + 2, as: UInt8.self)
        var blue = unsafe imageData.load(fromByteOffset: offset + 3, as: UInt8.self)

        unsafe inputData.append(&red, count: 1)
        unsafe inputData.append(&green, count: 1)
        unsafe inputData.append(&blue, count: 1)
      }
    }
    return inputData
  }

  @Test
  func `the guide's steps from an image to boxes find the two dogs as LiteRT's own interpreter does`()
    throws
  {
    let modelPath = SharedData.path("models/detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite")
    let photo = UIImage(contentsOfFile: SharedData.path("goldens/300x300_coral_pets.png"))
    let inputData = try #require(input(of: photo?.cgImage))

    let interpreter = try Interpreter(modelPath: modelPath)
    try interpreter.allocateTensors()

    try interpreter.copy(inputData, toInputAt: 0)
    try interpreter.invoke()

    var output = try interpreter.output(at: 0)
    let boundingBoxes =
      UnsafeMutableBufferPointer<Float32>.allocate(capacity: 4 * 40)
    _ = unsafe output.data.copyBytes(to: boundingBoxes)

    output = try interpreter.output(at: 1)
    let labels =
      UnsafeMutableBufferPointer<Float32>.allocate(capacity: 40)
    _ = unsafe output.data.copyBytes(to: labels)

    output = try interpreter.output(at: 2)
    let probabilities =
      UnsafeMutableBufferPointer<Float32>.allocate(capacity: 40)
    _ = unsafe output.data.copyBytes(to: probabilities)

    // Omitted by the guide: the memory is the caller's.
    defer {
      unsafe boundingBoxes.deallocate()
      unsafe labels.deallocate()
      unsafe probabilities.deallocate()
    }

    // The golden of this image in goldens.json; it comes from the reference kernels, and XNNPACK rounds
    // differently.
    let expected: [(score: Float, box: [Float])] = [
      (0.816406, [0.113657, 0.237423, 0.677516, 0.490514]),
      (0.738281, [0.379481, 0.670645, 0.853355, 0.967074]),
    ]
    for (place, dog) in expected.enumerated() {
      #expect(unsafe labels[place] == 17)
      let score = unsafe probabilities[place]
      #expect(abs(score - dog.score) < 0.05)
      for side in 0..<4 {
        let edge = unsafe boundingBoxes[4 * place + side]
        #expect(abs(edge - dog.box[side]) < 0.03)
      }
    }
    #expect(try interpreter.output(at: 3).data.floats == [10])
  }
}
