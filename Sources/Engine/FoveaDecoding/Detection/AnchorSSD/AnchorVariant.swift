// SPDX-License-Identifier: Apache-2.0

/// The properties that distinguish the families with known anchors.
struct AnchorVariant: Sendable {
  let family: DetectorFamily
  /// Whether anchors in a model's metadata replace those of `layout`.
  var readsMetadata = false
  /// Whether, unless something else is known, scores need a sigmoid and there is no background class.
  var answersLogits = false
  let coder: BoxCoder
  /// Returns the layout with `count` anchors for an input of this size; nil if there is none.
  let layout:
    @Sendable (_ width: Int, _ height: Int, _ count: Int, _ modelName: String) throws(DetectionError) ->
      AnchorLayout?

  /// The SSD pipelines of the Object Detection API.
  static let ssd: AnchorVariant = .init(
    family: .anchorSSD, readsMetadata: true, coder: .objectDetectionAPI
  ) { (width, height, count, _) in
    if count == AnchorLayout.ssdCount(width: width, height: height) {
      return .ssd(width: width, height: height)
    }
    guard count == AnchorLayout.pyramidCount(width: width, height: height, perCell: 6) else { return nil }
    return .pyramidSSD(width: width, height: height)
  }

  /// EfficientDet; throws if no published model has this size.
  static let efficientDet: AnchorVariant = .init(
    family: .efficientDet, answersLogits: true, coder: .plain
  ) { (width, height, count, modelName) throws(DetectionError) in
    guard count == AnchorLayout.pyramidCount(width: width, height: height, perCell: 9) else { return nil }
    guard width == height, let scale = AnchorLayout.efficientDetScales[width] else {
      throw DetectionError(
        .ambiguousModel,
        "'\(modelName)' has the \(count) anchors of an EfficientDet of \(width) × \(height), but their sizes"
          + " are known only for 320, 384, 448, 512 and 640 pixels",
        remedy: "Export it with TFLite_Detection_PostProcess, or with the anchors in its metadata")
    }
    return .efficientDet(width: width, height: height, scale: scale)
  }
}
