// SPDX-License-Identifier: Apache-2.0

import FoveaCore
public import FoveaEvaluation
import FoveaGeometry

extension COCOGroundTruth {
  /// Reads an instances or person_keypoints file of any size; skips masks and everything else that is not
  /// needed.
  ///
  /// `area` may be missing (the box's area is used), and so may `iscrowd` (not a crowd); pycocotools fails
  /// if either is missing.
  /// - Throws: `EvaluationError` `unreadable`, `notJSON` or `invalidGroundTruth`.
  public init(path: String) throws(EvaluationError) { try self.init(path: path, readsMasks: false) }

  /// Reads an instances file of any size, with the masks of its objects if they are requested.
  /// - Parameters:
  ///   - path: The file.
  ///   - readsMasks: True to read `segmentation` as well: polygons and run lengths, also of crowds.
  /// - Throws: `EvaluationError` `unreadable`, `notJSON` or `invalidGroundTruth`.
  public init(path: String, readsMasks: Bool) throws(EvaluationError) {
    if FileStatus(FilePath(path))?.kind == .folder {
      let form = ResultKind.formOfBoxes(inFolder: path).map { " in the form of \($0)" } ?? ""
      throw EvaluationError(
        .invalidGroundTruth, "'\(path)' is a folder\(form); ground truth must be a COCO instances file",
        remedy: "Name the JSON file that lists images, categories and annotations")
    }
    if let form = try ResultKind.formOfResults(inFile: path) {
      throw EvaluationError(
        .invalidGroundTruth, "'\(path)' has results in \(form); ground truth must be a COCO instances file",
        remedy: "Name a COCO instances file, as \(command: "detect --format coco") writes it")
    }
    try self.init(readsMasks: readsMasks) { () throws(JSONFailure) in try JSONReader.file(path) }
  }

  /// Reads the text of an instances file.
  /// - Throws: `EvaluationError` `notJSON` or `invalidGroundTruth`.
  public init(json: [UInt8]) throws(EvaluationError) { try self.init(json: json, readsMasks: false) }

  /// Reads the text of an instances file, with the masks of its objects if they are requested.
  /// - Throws: `EvaluationError` `notJSON` or `invalidGroundTruth`.
  public init(json: [UInt8], readsMasks: Bool) throws(EvaluationError) {
    try self.init(readsMasks: readsMasks) { JSONReader(bytes: json, name: "The ground truth") }
  }

  private init(
    readsMasks: Bool, _ open: () throws(JSONFailure) -> JSONReader
  ) throws(EvaluationError) {
    let parts: InstancesParts
    do throws(JSONFailure) {
      var reader = try open()
      parts = try InstancesParts(&reader, readsMasks: readsMasks)
    } catch {
      throw EvaluationError(error, mismatch: .invalidGroundTruth)
    }
    if let problem = parts.repeatedCategory {
      throw EvaluationError(
        .invalidGroundTruth, "\(parts.name): \(problem)", remedy: "Give each category its own id")
    }
    try self.init(
      images: parts.images, categories: parts.categories, annotations: parts.annotations, name: parts.name)
    places = parts.places
  }
}

/// The three lists of an instances file.
struct InstancesParts {
  let name: String
  var images: [COCOGroundTruth.Image] = []
  var categories: [COCOGroundTruth.Category] = []
  var annotations: [COCOGroundTruth.Annotation] = []
  /// The score of each annotation; nil if it has none, as in ground truth.
  var scores: [Double?] = []
  /// The end of each annotation, if masks are read; otherwise empty.
  var places: [JSONPlace] = []

  private static let imagesKey = JSONKey("images")
  private static let categoriesKey = JSONKey("categories")
  private static let annotationsKey = JSONKey("annotations")

  init(_ reader: inout JSONReader, readsMasks: Bool = false) throws(JSONFailure) {
    name = reader.name
    var sizes: [Int: PixelSize?] = [:]
    // The segmentations of annotations before their images.
    var waiting: [(index: Int, segmentation: SegmentationJSON)] = []
    guard try reader.take(UInt8(ascii: "{")) else {
      if try reader.peek() == UInt8(ascii: "[") {
        throw reader.mismatch(
          "an array instead of an object with images, categories and annotations")
      }
      throw try reader.otherKind("expected an object")
    }
    var members = DatasetMembers()
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      try members.add(key, &reader)
      switch key {
      case InstancesParts.imagesKey:
        try reader.objects("images") { (reader) throws(JSONFailure) in
          let image = try InstancesParts.image(&reader, number: images.count + 1)
          images.append(image)
          if readsMasks { sizes[image.id] = .some(image.size) }
        }
      case InstancesParts.categoriesKey:
        try reader.objects("categories") { (reader) throws(JSONFailure) in
          categories.append(try InstancesParts.category(&reader, number: categories.count + 1))
        }
      case InstancesParts.annotationsKey:
        try reader.objects("annotations") { (reader) throws(JSONFailure) in
          var (annotation, score, segmentation) = try AnnotationReader.read(
            &reader, number: annotations.count + 1, readsMasks: readsMasks)
          if let segmentation, !segmentation.isEmpty {
            do throws(SegmentationJSON.Problem) {
              if let size = sizes[annotation.imageID] {
                annotation.mask = try segmentation.mask(in: size)
              } else {
                try segmentation.check()
                waiting.append((annotations.count, segmentation))
              }
            } catch {
              throw reader.invalid(
                error, in: "annotation \(annotations.count + 1) (id \(annotation.id))")
            }
          }
          if readsMasks { places.append(reader.mark()) }
          annotations.append(annotation)
          scores.append(score)
        }
      default: try reader.skip()
      }
    }
    try reader.expectEnd()
    try members.check(name)
    for (index, segmentation) in waiting {
      // An annotation on an image that is not listed does not count.
      guard let size = sizes[annotations[index].imageID] else { continue }
      do throws(SegmentationJSON.Problem) {
        annotations[index].mask = try segmentation.mask(in: size)
      } catch {
        throw JSONFailure(
          .mismatch,
          "\(name), annotation \(index + 1) (id \(annotations[index].id)), before \(places[index])",
          error.text)
      }
    }
  }

  /// The problem with two different categories of one id.
  var repeatedCategory: String? {
    var names: [Int: String] = [:]
    for category in categories {
      guard let other = names.updateValue(category.name, forKey: category.id), other != category.name else {
        continue
      }
      return "the categories '\(other.printable)' and '\(category.name.printable)' have the id \(category.id)"
    }
    return nil
  }

  private static let idKey = JSONKey("id")
  private static let fileNameKey = JSONKey("file_name")
  private static let nameKey = JSONKey("name")
  private static let widthKey = JSONKey("width")
  private static let heightKey = JSONKey("height")

  private static func image(_ reader: inout JSONReader, number: Int) throws(JSONFailure)
    -> COCOGroundTruth.Image
  {
    let entry = try entry(&reader, "image", "an image", number, nameKey: fileNameKey)
    return COCOGroundTruth.Image(id: entry.id, fileName: entry.name, size: entry.size)
  }

  private static func category(
    _ reader: inout JSONReader, number: Int
  ) throws(JSONFailure) -> COCOGroundTruth.Category {
    let entry = try entry(&reader, "category", "a category", number, nameKey: nameKey)
    return COCOGroundTruth.Category(id: entry.id, name: entry.name ?? "\(entry.id)")
  }

  /// Returns the id of an entry, and its name and size if it has them.
  private static func entry(
    _ reader: inout JSONReader, _ kind: String, _ one: String, _ number: Int, nameKey: JSONKey
  ) throws(JSONFailure) -> (id: Int, name: String?, size: PixelSize?) {
    var id: Int?
    var name: String?
    var width: Int?
    var height: Int?
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      switch key {
      case idKey: id = try reader.identifier("the id of \(one)")
      case nameKey: name = try reader.optionalString()
      case widthKey: width = try reader.optionalNumber().flatMap(Int.init(exactly:))
      case heightKey: height = try reader.optionalNumber().flatMap(Int.init(exactly:))
      default: try reader.skip()
      }
    }
    guard let id else { throw reader.mismatch("\(kind) \(number) has no id") }
    guard let width, let height else { return (id, name, nil) }
    return (id, name, PixelSize(width: width, height: height))
  }
}

/// Reads one element of an instances file's `annotations`.
private enum AnnotationReader {
  private static let id = JSONKey("id")
  private static let imageID = JSONKey("image_id")
  private static let categoryID = JSONKey("category_id")
  private static let bbox = JSONKey("bbox")
  private static let area = JSONKey("area")
  private static let isCrowd = JSONKey("iscrowd")
  private static let score = JSONKey("score")
  private static let segmentation = JSONKey("segmentation")
  private static let keypoints = JSONKey("keypoints")

  /// Expects the opening brace to be consumed already.
  static func read(
    _ reader: inout JSONReader, number: Int, readsMasks: Bool
  ) throws(JSONFailure) -> (COCOGroundTruth.Annotation, score: Double?, SegmentationJSON?) {
    var segmentation: SegmentationJSON?
    var score: Double?
    var id: Int?
    var imageID: Int?
    var categoryID: Int?
    var box: COCOBox?
    var area: Double?
    var isCrowd = false
    var keypoints: [COCOKeypoint] = []
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      switch key {
      case AnnotationReader.id: id = try reader.identifier("the id of an annotation")
      case AnnotationReader.imageID: imageID = try reader.identifier("image_id")
      case AnnotationReader.categoryID: categoryID = try reader.identifier("category_id")
      case AnnotationReader.bbox: box = try reader.box()
      case AnnotationReader.area: area = try reader.double("area")
      case AnnotationReader.score: score = try reader.optionalNumber()
      case AnnotationReader.segmentation where readsMasks: segmentation = try SegmentationJSON(&reader)
      case AnnotationReader.keypoints:
        keypoints = try reader.keypoints().map { COCOKeypoint($0.point, isLabelled: $0.value > 0) }
      case AnnotationReader.isCrowd: isCrowd = try reader.flag("iscrowd")
      default: try reader.skip()
      }
    }
    guard let id, let imageID, let categoryID, let box else {
      let missing =
        id == nil ? "id" : imageID == nil ? "image_id" : categoryID == nil ? "category_id" : "bbox"
      throw reader.mismatch("annotation \(number) has no \(missing)")
    }
    let annotation = COCOGroundTruth.Annotation(
      id: id, imageID: imageID, categoryID: categoryID, box: box, area: area, isCrowd: isCrowd,
      keypoints: keypoints)
    return (annotation, score, segmentation)
  }
}
