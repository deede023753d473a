// SPDX-License-Identifier: Apache-2.0

/// Reads one element of an instances file's `annotations`.
enum AnnotationReader {
  private static let id = JSONKey("id")
  private static let imageID = JSONKey("image_id")
  private static let categoryID = JSONKey("category_id")
  private static let bbox = JSONKey("bbox")
  private static let area = JSONKey("area")
  private static let isCrowd = JSONKey("iscrowd")

  /// The opening brace is taken already.
  static func read(
    _ reader: inout JSONReader, _ isFirst: inout Bool, number: Int
  ) throws(EvaluationError) -> COCOGroundTruth.Annotation {
    var id: Int?
    var imageID: Int?
    var categoryID: Int?
    var box: COCOBox?
    var area: Double?
    var isCrowd = false
    while let key = try reader.nextKey(&isFirst) {
      switch key {
      case AnnotationReader.id: id = try reader.identifier("the id of an annotation")
      case AnnotationReader.imageID: imageID = try reader.identifier("image_id")
      case AnnotationReader.categoryID: categoryID = try reader.identifier("category_id")
      case AnnotationReader.bbox: box = try reader.box()
      case AnnotationReader.area: area = try reader.double("area")
      case AnnotationReader.isCrowd: isCrowd = try reader.flag("iscrowd")
      default: try reader.skip()
      }
    }
    guard let id, let imageID, let categoryID, let box else {
      let missing =
        id == nil ? "id" : imageID == nil ? "image_id" : categoryID == nil ? "category_id" : "bbox"
      throw reader.mismatch("annotation \(number) has no \(missing)")
    }
    return COCOGroundTruth.Annotation(
      id: id, imageID: imageID, categoryID: categoryID, box: box, area: area, isCrowd: isCrowd)
  }
}
