// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation
import FoveaGeometry

/// The members of one element of a detections file: a COCO result, or a record of `fovea detect`.
struct ElementJSON {
  /// The kind of an element.
  enum Kind { case coco, objects, failure }

  private static let imageID = JSONKey("image_id")
  private static let categoryID = JSONKey("category_id")
  private static let bbox = JSONKey("bbox")
  private static let score = JSONKey("score")
  private static let image = JSONKey("image")
  private static let objects = JSONKey("objects")
  private static let error = JSONKey("error")
  private static let space = JSONKey("space")
  private static let width = JSONKey("width")
  private static let height = JSONKey("height")
  private static let orientation = JSONKey("orientation")
  private static let segmentation = JSONKey("segmentation")
  private static let keypoints = JSONKey("keypoints")

  private(set) var imageID: Int?
  private(set) var categoryID: Int?
  private(set) var box: COCOBox?
  private(set) var score: Double?
  private(set) var segmentation: SegmentationJSON?
  private(set) var keypoints: [PixelPoint] = []
  private(set) var image: String?
  private(set) var objects: [ObjectJSON] = []
  private(set) var kind = Kind.coco
  private(set) var space = BoxSpace()

  /// Expects the opening brace to be consumed already.
  init(_ reader: inout JSONReader, readsMasks: Bool = false) throws(JSONFailure) {
    var isFirst = true
    var size = PixelSize(width: 0, height: 0)
    while let key = try reader.nextKey(&isFirst) {
      switch key {
      case Self.imageID:
        try reader.refuse(twin: imageID != nil, "image_id")
        imageID = try reader.identifier("image_id")
      case Self.categoryID:
        try reader.refuse(twin: categoryID != nil, "category_id")
        categoryID = try reader.identifier("category_id")
      case Self.bbox:
        try reader.refuse(twin: box != nil, "bbox")
        box = try reader.box()
      case Self.score:
        try reader.refuse(twin: score != nil, "score")
        score = try reader.double("score")
      // Without masks, a segmentation only replaces a missing box.
      case Self.segmentation where readsMasks || box == nil: segmentation = try SegmentationJSON(&reader)
      case Self.keypoints: keypoints = try reader.keypoints().map(\.point)
      case Self.image:
        try reader.refuse(twin: image != nil, "image")
        image = try reader.optionalString()
      case Self.objects:
        try reader.refuse(twin: kind == .objects, "objects")
        kind = .objects
        try reader.objects("objects") { (reader) throws(JSONFailure) in
          objects.append(try ObjectJSON(&reader, readsMasks: readsMasks))
        }
      case Self.error where image != nil:
        kind = .failure
        try reader.skip()
      case Self.space: space.isUpright = try reader.optionalString() != "stored"
      case Self.width: size.width = try reader.optionalNumber().flatMap(Int.init(exactly:)) ?? 0
      case Self.height: size.height = try reader.optionalNumber().flatMap(Int.init(exactly:)) ?? 0
      case Self.orientation: space.orientation = try reader.optionalString().flatMap(Orientation.init(name:))
      default: try reader.skip()
      }
    }
    space.size = size
    if image == nil { kind = .coco }
  }
}
