// SPDX-License-Identifier: Apache-2.0

/// What is particular to one of the families with known anchors.
struct AnchorVariant: Sendable {
  let family: DetectorFamily
  /// Whether the anchors in a model's metadata are read, in place of those of `layout`.
  var readsMetadata = false
  /// Whether scores need a sigmoid, and none is the background's, where nothing else is known.
  var answersLogits = false
  let coder: BoxCoder
  /// The largest overlap of two boxes of a class.
  let iouThreshold: Double
  /// The layout that has so many anchors for an input of this size; nil where there is none.
  let layout:
    @Sendable (_ width: Int, _ height: Int, _ count: Int, _ modelName: String) throws(DetectionError) ->
      AnchorLayout?

  /// The Object Detection API's pipelines of SSD.
  static let ssd: AnchorVariant = .init(
    family: .anchorSSD, readsMetadata: true, coder: .objectDetectionAPI, iouThreshold: 0.6
  ) { (width, height, count, _) in
    if count == AnchorLayout.ssdCount(width: width, height: height) {
      return .ssd(width: width, height: height)
    }
    guard count == AnchorLayout.pyramidCount(width: width, height: height, perCell: 6) else { return nil }
    return .pyramidSSD(width: width, height: height)
  }

  /// EfficientDet; an error for one of a size that no published one has.
  static let efficientDet: AnchorVariant = .init(
    family: .efficientDet, answersLogits: true, coder: .plain, iouThreshold: 0.5
  ) { (width, height, count, modelName) throws(DetectionError) in
    guard count == AnchorLayout.pyramidCount(width: width, height: height, perCell: 9) else { return nil }
    guard width == height, let scale = AnchorLayout.efficientDetScales[width] else {
      throw DetectionError(
        .ambiguousModel,
        "'\(modelName)' has the \(count) anchors of an EfficientDet of \(width) × \(height), but how large they are"
          + " is known only for 320, 384, 448, 512 and 640 pixels",
        remedy: "Export it with TFLite_Detection_PostProcess, or with the anchors in its metadata")
    }
    return .efficientDet(width: width, height: height, scale: scale)
  }
}
