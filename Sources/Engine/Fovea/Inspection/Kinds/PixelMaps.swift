// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaMetadata
import FoveaRuntime

/// Models that output a value for each pixel: masks, depths, images.
enum PixelMaps {
  /// A detector's finest feature map has an eighth of the input's side, a map of pixels at least a quarter.
  private static let largestStride = 4

  /// The numbers of points that networks for bodies, hands and faces output, with a map for each point.
  ///
  /// **Source:** MPII 16, its upper bodies 14 and 15, COCO 17, OpenPose 18 and 25; faces of 300-W 68, WFLW 98
  /// and JD 106. 19 is left out because Cityscapes has as many classes.
  private static let pointCounts: Set<Int> = [14, 15, 16, 17, 18, 25, 68, 98, 106]
  /// The number of a hand's points, and of the classes of PASCAL VOC with its background.
  private static let sharedCount = 21
  /// Parts of names, and whole words in them, that indicate maps of points.
  private static let parts = ["heatmap", "keypoint"]
  private static let words: Set<Substring> = ["heat", "heats"]
  /// Further parts for models with one output, because detectors also output points.
  private static let loneParts = ["landmark", "kps", "kpts"]

  static func recognized(_ signature: ModelSignature, ends: [String: OutputActivation]) -> UnsupportedModel? {
    if let heat = heatMaps(signature, ends) { return heat }
    guard signature.outputs.count == 1, let output = signature.outputs.first,
      let image = signature.inputs.first.flatMap({ ImageShape($0.shape) }), image.isFixed,
      let map = size(of: output.shape), map.width >= 16, map.height >= 16,
      map.width * largestStride >= image.width, map.height * largestStride >= image.height
    else { return nil }
    let what =
      switch map.channels {
      case 3: "it outputs an image, \(output), as style transfer and super-resolution do"
      case 1 where output.shape == signature.inputs.first?.shape:
        "it outputs one number for each pixel, \(output): its input again (an autoencoder), a mask or a depth"
      case 1: "it outputs one number for each pixel, \(output): a mask or a depth"
      case sharedCount where map.width < image.width && map.height < image.height:
        "it outputs \(sharedCount) maps, \(output): a class for each pixel (segmentation), or the points of"
          + " a hand"
      default: "it outputs a class for each pixel, \(output): segmentation"
      }
    return UnsupportedModel(what, remedy: UnsupportedModel.otherModel)
  }

  /// Recognises models that output a map for each point of a body, smaller than the image, and possibly the
  /// offsets of the points within a cell.
  private static func heatMaps(
    _ signature: ModelSignature, _ ends: [String: OutputActivation]
  ) -> UnsupportedModel? {
    guard let image = signature.inputs.first.flatMap({ ImageShape($0.shape) }), image.isFixed else {
      return nil
    }
    for output in signature.outputs where ends[output.name] != .softmax {
      guard let map = heatMap(output.shape, image), map.width < image.width, map.height < image.height
      else {
        continue
      }
      let names = (output.name + " " + output.signatureName).lowercased()
      let isNamed =
        parts.contains(where: names.contains) || names.split { !$0.isLetter }.contains { words.contains($0) }
        || signature.outputs.count == 1 && loneParts.contains(where: names.contains)
      let hasSizes = signature.outputs.contains { other in
        heatMap(other.shape, image).map { ($0.width, $0.height, $0.channels) == (map.width, map.height, 2) }
          == true
      }
      // The centres of objects and their sizes: `DetectorFamily.centerNet` is the nearest.
      if isNamed, map.channels > 2, hasSizes, signature.outputs.count <= 3 { return nil }
      // PoseNet's offsets are two numbers for each of its points.
      let hasOffsets = signature.outputs.contains {
        guard let other = heatMap($0.shape, image) else { return false }
        return (other.width, other.height, other.channels) == (map.width, map.height, 2 * map.channels)
      }
      let isFine = map.width * largestStride >= image.width && map.height * largestStride >= image.height
      guard
        isNamed && map.channels > 1
          || pointCounts.contains(map.channels) && (hasOffsets || isFine && signature.outputs.count == 1)
      else { continue }
      return UnsupportedModel(
        "it outputs a map for each of \(map.channels) points, \(output): the key points of a body, a hand or"
          + " a face",
        remedy: UnsupportedModel.otherModel)
    }
    return nil
  }

  /// Returns width, height and channels of [1, height, width, C] or [1, C, height, width] with the
  /// proportions of the image; nil for other shapes.
  private static func heatMap(_ shape: [Int], _ image: ImageShape) -> (
    width: Int, height: Int, channels: Int
  )? {
    guard shape.count == 4, shape[0] == 1 else { return nil }
    let orders: [(width: Int, height: Int, channels: Int)] = [
      (shape[2], shape[1], shape[3]), (shape[3], shape[2], shape[1]),
    ]
    return orders.first { map in
      map.width > 1 && map.height > 1
        && abs(map.width * image.height - map.height * image.width) <= max(image.width, image.height)
    }
  }

  /// Returns width, height and channels of [1, height, width, C], [1, C, height, width] or [1, height,
  /// width].
  private static func size(of shape: [Int]) -> (width: Int, height: Int, channels: Int)? {
    if shape.count == 3, shape[0] == 1, shape[1] >= 16, shape[2] >= 16 {
      // Rows of numbers are not pixels: a map has about as many columns as rows.
      guard max(shape[1], shape[2]) <= 2 * min(shape[1], shape[2]) else { return nil }
      return (shape[2], shape[1], 1)
    }
    guard shape.count == 4, shape[0] == 1 else { return nil }
    return shape[1] < shape[3]
      ? (shape[3], shape[2], shape[1]) : (shape[2], shape[1], shape[3])
  }
}
