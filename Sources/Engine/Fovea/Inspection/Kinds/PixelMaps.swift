// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaMetadata
import FoveaRuntime

/// Models that output a value for each pixel and are not read as a map of classes: depths, images, points.
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

  /// Recognises a model whose map is not one of classes, or that could also be something else.
  /// - Parameters:
  ///   - signature: The tensors with their shapes at run time.
  ///   - ends: The last operation of the graph for each output, by name.
  ///   - labelCount: The number of labels of the model.
  ///   - task: The task that the exporter names.
  /// - Returns: The kind; nil for models without a map, and for those that `MapHead` reads.
  static func recognized(
    _ signature: ModelSignature, ends: [String: OutputActivation], labelCount: Int?, task: String? = nil
  ) -> UnsupportedModel? {
    if let heat = heatMaps(signature, ends) { return heat }
    guard signature.inputs.count == 1, signature.outputs.count == 1, let output = signature.outputs.first,
      let image = ImageShape(signature.inputs[0].shape), image.isFixed,
      let map = MapLayout.readings(of: output.shape, planarFirst: image.isPlanar).first(where: {
        $0.fits(image)
      })
    else { return nil }
    guard map.isWithinLimits else {
      return UnsupportedModel(
        "it outputs a map, \(output), which is too large: \(MapLayout.limits)",
        remedy: MapLayout.limitsRemedy)
    }
    let isSameAgain = map.channels == 1 && output.shape == signature.inputs[0].shape
    if !isSameAgain, MapHead(of: signature, ends: ends, labelCount: labelCount, task: task) != nil {
      return nil
    }
    let end = ends[output.name]
    switch map.channels {
    case 1 where isSameAgain:
      return UnsupportedModel(
        "it outputs one number for each pixel, \(output): its input again (an autoencoder), a mask or a"
          + " depth",
        remedy: orMask)
    case 1 where end == .linear:
      return UnsupportedModel(
        "it outputs one number for each pixel, \(output), without a sigmoid: a depth, which Fovea does not"
          + " read",
        remedy: orMask)
    case 1:
      return UnsupportedModel(
        "it outputs one number for each pixel, \(output): a mask or a depth", remedy: orMask)
    case 3:
      return UnsupportedModel(
        "it outputs an image, \(output), as style transfer and super-resolution do", remedy: orMap)
    case sharedCount:
      return UnsupportedModel(
        "it outputs \(sharedCount) maps, \(output): a class for each pixel (segmentation), or the points of"
          + " a hand", remedy: orMap)
    default:
      return UnsupportedModel("it outputs \(map.channels) maps, \(output)", remedy: orMap)
    }
  }

  private static let orMask = Self.remedy("a mask", "mask")
  private static let orMap = Self.remedy("classes of pixels", "map")

  private static func remedy(_ what: String, _ family: String) -> Advice {
    "If it is \(what), use \(term: .segmenter(family: family))"
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
        parts.contains(where: names.contains(part:))
        || names.split { !$0.isLetter }.contains { words.contains($0) }
        || signature.outputs.count == 1 && loneParts.contains(where: names.contains(part:))
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
}
