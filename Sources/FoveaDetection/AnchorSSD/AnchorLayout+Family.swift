// SPDX-License-Identifier: Apache-2.0

extension AnchorLayout {
  /// The layout of a family that has so many anchors for an input of this size; nil where there is none.
  /// - Throws: `ambiguousModel` for an EfficientDet of a size that no published one has.
  init?(
    of family: DetectorFamily, width: Int, height: Int, count: Int, modelName: String
  ) throws(DetectionError) {
    switch family {
    case .anchorSSD where count == Self.ssdCount(width: width, height: height):
      self = .ssd(width: width, height: height)
    case .anchorSSD where count == Self.pyramidCount(width: width, height: height, perCell: 6):
      self = .pyramidSSD(width: width, height: height)
    case .efficientDet where count == Self.pyramidCount(width: width, height: height, perCell: 9):
      guard width == height, let scale = Self.efficientDetScales[width] else {
        throw DetectionError(
          .ambiguousModel,
          "'\(modelName)' has the \(count) anchors of an EfficientDet of \(width) × \(height), but how large they are"
            + " is known only for 320, 384, 448, 512 and 640 pixels",
          remedy: "Export it with TFLite_Detection_PostProcess, or with the anchors in its metadata")
      }
      self = .efficientDet(width: width, height: height, scale: scale)
    default: return nil
    }
  }
}
