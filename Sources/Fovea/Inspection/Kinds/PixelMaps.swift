// SPDX-License-Identifier: Apache-2.0

import FoveaDetection
import FoveaErrors
import FoveaRuntime

/// Models that answer something for each pixel: masks, depths, images.
enum PixelMaps {
  /// A detector's finest feature map has an eighth of the input's side, a map of pixels a quarter at least.
  private static let largestStride = 4

  static func recognized(_ signature: ModelSignature) -> UnsupportedModel? {
    guard signature.outputs.count == 1, let output = signature.outputs.first,
      let picture = signature.inputs.first.flatMap({ ImageShape($0.shape) }), picture.isFixed,
      let map = size(of: output.shape), map.width >= 16, map.height >= 16,
      map.width * largestStride >= picture.width, map.height * largestStride >= picture.height
    else { return nil }
    let what =
      switch map.channels {
      case 3: "it answers an image, \(output), as style transfer and super-resolution do"
      case 1: "it answers one number for each pixel, \(output): a mask or a depth"
      default: "it answers a class for each pixel, \(output): segmentation"
      }
    return UnsupportedModel(what, remedy: UnsupportedModel.otherModel)
  }

  /// Width, height and channels of [1, height, width, C], [1, C, height, width] or [1, height, width].
  private static func size(of shape: [Int]) -> (width: Int, height: Int, channels: Int)? {
    if shape.count == 3, shape[0] == 1, shape[1] >= 16, shape[2] >= 16 {
      // Rows of numbers are no pixels: a map has about as many columns as rows.
      guard max(shape[1], shape[2]) <= 2 * min(shape[1], shape[2]) else { return nil }
      return (shape[2], shape[1], 1)
    }
    guard shape.count == 4, shape[0] == 1 else { return nil }
    return shape[1] < shape[3]
      ? (shape[3], shape[2], shape[1]) : (shape[2], shape[1], shape[3])
  }
}
