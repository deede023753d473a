// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
public import FoveaGeometry

/// The content of a COCO `instances.json`: images, categories and a box for each object.
///
/// **Source:** cocodataset.org, "Data format", object detection.
public struct COCOGroundTruth: Sendable {
  /// An annotated image, with or without objects.
  public struct Image: Sendable, Hashable {
    /// The number that annotations and detections use for the image.
    public var id: Int
    /// The file's name, for results that name files; nil if the list has none.
    public var fileName: String?
    /// The size in pixels, which shows whether boxes are in the upright or the stored image; nil if unknown.
    package var size: PixelSize?

    /// Creates an entry of the list of images.
    public init(id: Int, fileName: String? = nil) {
      self.id = id
      self.fileName = fileName
    }

    package init(id: Int, fileName: String?, size: PixelSize?) {
      self.init(id: id, fileName: fileName)
      self.size = size
    }
  }

  /// A kind of objects.
  public struct Category: Sendable, Hashable {
    /// The number that annotations and detections use for the category.
    public var id: Int
    /// The category's name.
    public var name: String

    /// Creates an entry of the list of categories.
    public init(id: Int, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// One object, or a crowd of them, in an image.
  public struct Annotation: Sendable, Hashable {
    /// The annotation's own number.
    public var id: Int
    /// The id of the object's image.
    public var imageID: Int
    /// The id of the object's category.
    public var categoryID: Int
    /// The box in pixels.
    public var box: COCOBox
    /// The object's size in square pixels, which decides whether it is small, medium or large: in COCO's own
    /// files the area of its outline, smaller than the box.
    public var area: Double
    /// Whether the box is around a crowd: detections inside it are neither right nor wrong.
    public var isCrowd: Bool
    /// The object's pixels; nil if they are not known or were not read.
    public var mask: RunLengths?
    /// The keypoints, in the order of the category; empty if they are not known or were not read.
    public var keypoints: [COCOKeypoint]

    /// Creates an annotation; without `area`, the box's area is used.
    public init(
      id: Int, imageID: Int, categoryID: Int, box: COCOBox, area: Double? = nil, isCrowd: Bool = false,
      mask: RunLengths? = nil, keypoints: [COCOKeypoint] = []
    ) {
      self.id = id
      self.imageID = imageID
      self.categoryID = categoryID
      self.box = box
      self.area = area ?? box.area
      self.isCrowd = isCrowd
      self.mask = mask
      self.keypoints = keypoints
    }
  }

  /// The images, in rising order of their ids, each once.
  public let images: [Image]
  /// The categories, in rising order of their ids, each once.
  public let categories: [Category]
  /// The objects in the given order, which decides between equal overlaps.
  public let annotations: [Annotation]

  package let imageIndexes: [Int: Int]
  package let categoryIndexes: [Int: Int]

  /// The name of the text in messages.
  package let name: String
  /// The end of each annotation in the text, if masks were read from one; otherwise empty.
  package var places: [JSONPlace] = []

  /// Creates a ground truth; of images or categories with the same id the last one is kept, as in
  /// pycocotools.
  /// - Throws: `EvaluationError` `invalidGroundTruth` if there are no images or no categories, or an
  ///   annotation has an invalid box or area.
  public init(images: [Image], categories: [Category], annotations: [Annotation]) throws(EvaluationError) {
    try self.init(images: images, categories: categories, annotations: annotations, name: "The ground truth")
  }

  package init(
    images: [Image], categories: [Category], annotations: [Annotation], name: String
  ) throws(EvaluationError) {
    guard !images.isEmpty, !categories.isEmpty else {
      throw EvaluationError(
        .invalidGroundTruth,
        "\(name) lists \(DecimalText.counted(images.count, "image", "images")) and "
          + "\(DecimalText.counted(categories.count, "category", "categories")); "
          + "at least one of each is needed",
        remedy: "Name a COCO instances file with \"images\", \"categories\" and \"annotations\"")
    }
    for (index, annotation) in annotations.enumerated() {
      guard let problem = annotation.problem else { continue }
      throw EvaluationError(
        .invalidGroundTruth, "\(name), annotation \(index + 1) (id \(annotation.id)): \(problem)",
        remedy: "Correct the annotation, or remove it")
    }
    self.name = name
    self.images = COCOGroundTruth.unique(images, id: \.id)
    self.categories = COCOGroundTruth.unique(categories, id: \.id)
    self.annotations = annotations
    imageIndexes = COCOGroundTruth.indexes(of: self.images, id: \.id)
    categoryIndexes = COCOGroundTruth.indexes(of: self.categories, id: \.id)
  }

  private static func unique<Entry>(_ entries: [Entry], id: KeyPath<Entry, Int>) -> [Entry] {
    var last: [Int: Entry] = [:]
    for entry in entries { last[entry[keyPath: id]] = entry }
    return last.values.sorted { $0[keyPath: id] < $1[keyPath: id] }
  }

  private static func indexes<Entry>(of entries: [Entry], id: KeyPath<Entry, Int>) -> [Int: Int] {
    var indexes: [Int: Int] = [:]
    for (index, entry) in entries.enumerated() { indexes[entry[keyPath: id]] = index }
    return indexes
  }
}

/// A keypoint of the ground truth.
///
/// **Source:** cocodataset.org, "Data format", keypoint detection.
public struct COCOKeypoint: Sendable, Hashable {
  /// The position in pixels; (0, 0) if the point is not labelled.
  public var point: PixelPoint
  /// Whether the point is labelled, visible or not: `v` above 0 in COCO's files.
  public var isLabelled: Bool

  /// Creates a keypoint.
  public init(_ point: PixelPoint, isLabelled: Bool) {
    self.point = point
    self.isLabelled = isLabelled
  }
}

extension COCOGroundTruth {
  /// Returns the measure of the objects' keypoints.
  /// - Throws: `EvaluationError` `invalidGroundTruth` if no object has keypoints, if two have different
  ///   numbers of them, or if the spread of so many points is not known.
  func keypointSimilarity() throws(EvaluationError) -> KeypointSimilarity {
    var count: Int?
    for (index, annotation) in annotations.enumerated() where !annotation.keypoints.isEmpty {
      guard let known = count, known != annotation.keypoints.count else {
        count = annotation.keypoints.count
        continue
      }
      throw EvaluationError(
        .invalidGroundTruth,
        "\(name), annotation \(index + 1) (id \(annotation.id)): it has \(annotation.keypoints.count)"
          + " keypoints, others have \(known)",
        remedy: "Name a ground truth whose objects all have the same keypoints")
    }
    guard let count else {
      throw EvaluationError(
        .invalidGroundTruth, "\(name) has no keypoints",
        remedy:
          "Name a COCO file whose annotations have keypoints (person_keypoints), or compare boxes or masks"
          + " (\(flag: "iou", "Options.shape"))")
    }
    guard let sigmas = KeypointSet.known(count: count, className: nil)?.sigmas else {
      throw EvaluationError(
        .invalidGroundTruth,
        "\(name) has objects of \(count) keypoints; the spread of their positions is known only for COCO's"
          + " \(KeypointSet.body.points.count)",
        remedy: "Name a ground truth with COCO's keypoints")
    }
    return KeypointSimilarity(sigmas: sigmas)
  }

  /// Returns the size of each image; nil if it is not known.
  /// - Throws: `EvaluationError` `invalidGroundTruth` if an object has no mask, or the mask of an image of
  ///   another size.
  package func maskSizes() throws(EvaluationError) -> [PixelSize?] {
    var sizes = images.map(\.size)
    for (index, annotation) in annotations.enumerated() {
      guard let image = imageIndexes[annotation.imageID] else { continue }
      guard let mask = annotation.mask else {
        throw maskError(
          index, "has no mask", inText: "it is missing or empty",
          remedy: """
            Name a ground truth whose annotations have a segmentation, or compare boxes with \
            \(flag: "iou boxes", "Options.shape = .boxes")
            """)
      }
      if let size = sizes[image], size != mask.size {
        throw maskError(
          index, "has a mask of an image of \(mask.size) pixels; its image has \(size)",
          inText: "'size' is [\(mask.size.height), \(mask.size.width)]; other masks of the image have "
            + "[\(size.height), \(size.width)]",
          remedy: "Use masks of one size for each image")
      }
      sizes[image] = mask.size
    }
    return sizes
  }

  /// Returns the error for the mask of an annotation, with its place if the annotation was read from a text.
  private func maskError(
    _ index: Int, _ problem: String, inText: String, remedy: Advice
  ) -> EvaluationError {
    let id = annotations[index].id
    return EvaluationError(
      .invalidGroundTruth,
      places.isEmpty
        ? "Annotation id \(id) of the ground truth \(problem)"
        : "\(name), annotation \(index + 1) (id \(id)), before \(places[index]): segmentation: \(inText)",
      remedy: remedy)
  }
}

extension COCOGroundTruth.Annotation {
  /// The number of labelled keypoints.
  var labelledKeypoints: Int { keypoints.count(where: \.isLabelled) }

  fileprivate var problem: String? {
    if let problem = box.problem { return problem }
    return area >= 0 && area.isFinite ? nil : "its area is \(DecimalText.exact(area)); 0 or more is needed"
  }
}
