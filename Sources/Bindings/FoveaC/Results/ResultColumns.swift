// SPDX-License-Identifier: Apache-2.0

import CFovea
import Fovea
import FoveaCore
import FoveaDecoding
import FoveaGeometry

/// Builds the columns of a result, image by image.
@safe struct ResultColumns: ~Copyable {
  // SAFETY: the memory that `finish` allocates belongs to the `ResultObject` made from this value.
  private(set) var memory: [UnsafeMutableRawPointer] = unsafe []
  private(set) var columns = unsafe fovea_columns()
  private(set) var texts: [CText] = []
  private(set) var errors: [FoveaError?] = []

  private var widths: [Int32] = []
  private var heights: [Int32] = []
  private var orientations: [Int32] = []
  private var milliseconds: [Double] = []
  private var objectOffsets: [Int64] = [0]
  private var boxes: [Double] = []
  private var scores: [Float] = []
  private var trackIDs: [Int64] = []
  private var labelOffsets: [Int64] = [0]
  private var labelIndexes: [Int32] = []
  private var labelScores: [Float] = []
  private var labelTexts: [UnsafePointer<CChar>?] = unsafe []
  private var keypointOffsets: [Int64] = [0]
  private var keypoints: [Double] = []
  private var keypointScores: [Float] = []
  private var hasKeypointScores = false
  private var orientedBoxes: [Double] = []
  private var hasOrientedBoxes = false
  private var landmarks = LandmarkColumns()
  private var masks = MaskColumns()
  private var maps = MapColumns()
  private var features: [Float] = []
  private var known: [String: Int] = [:]
  private let content: Content

  /// The findings of each image.
  enum Content: Equatable {
    case objects
    /// Labels of images, not of objects.
    case labels
    /// Maps of so many classes; 0 if unknown.
    case maps(classCount: Int)
    /// Embeddings of so many values.
    case features(dimension: Int)
  }

  init(_ content: Content) { self.content = content }

  /// Adds an image of a detector or a tracker.
  mutating func add(
    _ objects: [DetectedObject], size: PixelSize, orientation: Orientation, timings: StageTimings
  ) {
    addImage(size, orientation, timings)
    objects.forEach { add($0) }
    objectOffsets.append(Int64(scores.count))
  }

  /// Adds an image of a labeler.
  mutating func add(_ result: LabelingResult) {
    addImage(result.size, result.orientation, result.timings)
    result.labels.forEach { add($0) }
    labelOffsets.append(Int64(labelIndexes.count))
    objectOffsets.append(0)
  }

  /// Adds an image of a segmenter.
  mutating func add(_ result: SegmentationResult) {
    addImage(result.size, result.orientation, result.timings)
    maps.add(result.map)
    objectOffsets.append(0)
  }

  /// Adds an image of an embedder.
  mutating func add(_ result: ImageEmbedding) {
    addImage(result.size, result.orientation, result.timings)
    features += result.values
    objectOffsets.append(0)
  }

  /// Adds an image that failed.
  mutating func add(_ error: FoveaError) {
    errors.append(error)
    widths.append(0)
    heights.append(0)
    orientations.append(0)
    milliseconds += [0, 0, 0, 0, 0]
    objectOffsets.append(Int64(scores.count))
    switch content {
    case .objects: break
    case .labels: labelOffsets.append(Int64(labelIndexes.count))
    case .maps: maps.add(nil)
    case .features(let dimension): features += repeatElement(.nan, count: dimension)
    }
  }

  private mutating func addImage(_ size: PixelSize, _ orientation: Orientation, _ timings: StageTimings) {
    errors.append(nil)
    widths.append(Int32(clamping: size.width))
    heights.append(Int32(clamping: size.height))
    orientations.append(Int32(orientation.exifValue))
    milliseconds += [timings.decode, timings.prepare, timings.detect, timings.classify, timings.total]
      .map(\.milliseconds)
  }

  private mutating func add(_ object: DetectedObject) {
    boxes += [object.box.minX, object.box.minY, object.box.width, object.box.height]
    scores.append(object.score)
    trackIDs.append(Int64(object.trackingID ?? 0))
    object.labels.forEach { add($0) }
    labelOffsets.append(Int64(labelIndexes.count))
    for point in object.keypoints { keypoints += [point.x, point.y] }
    keypointOffsets.append(Int64(keypoints.count / 2))
    if object.keypointScores.count == object.keypoints.count {
      hasKeypointScores = hasKeypointScores || !object.keypoints.isEmpty
      keypointScores += object.keypointScores
    } else {
      keypointScores += object.keypoints.map { _ in .nan }
    }
    landmarks.add(object)
    add(object.orientedBox)
    masks.add(object.mask)
  }

  private mutating func add(_ box: OrientedBox?) {
    guard let box else {
      orientedBoxes += [.nan, .nan, .nan, .nan, .nan]
      return
    }
    hasOrientedBoxes = true
    orientedBoxes += [box.center.x, box.center.y, box.width, box.height, box.angle]
  }

  private mutating func add(_ label: Label) {
    labelIndexes.append(Int32(clamping: label.index))
    labelScores.append(label.confidence)
    unsafe labelTexts.append(label.text.map { unsafe text($0) })
  }

  /// Returns the text in C memory, shared by all labels with the same text.
  private mutating func text(_ text: String) -> UnsafePointer<CChar> {
    if let index = known[text] { return unsafe texts[index].pointer }
    let new = CText(text)
    known[text] = texts.count
    texts.append(new)
    return unsafe new.pointer
  }

  /// Copies the columns to memory that does not move.
  mutating func finish() {
    unsafe columns.images = errors.count
    unsafe columns.objects = scores.count
    unsafe columns.labels = labelIndexes.count
    unsafe columns.widths = kept(widths)
    unsafe columns.heights = kept(heights)
    unsafe columns.orientations = kept(orientations)
    unsafe columns.milliseconds = kept(milliseconds)
    unsafe columns.object_offsets = kept(objectOffsets)
    unsafe columns.boxes = kept(boxes)
    unsafe columns.scores = kept(scores)
    unsafe columns.track_ids = kept(trackIDs)
    unsafe columns.label_offsets = kept(labelOffsets)
    unsafe columns.label_indexes = kept(labelIndexes)
    unsafe columns.label_scores = kept(labelScores)
    unsafe columns.label_texts = kept(labelTexts)
    unsafe columns.keypoint_offsets = kept(keypointOffsets)
    unsafe columns.keypoints = kept(keypoints)
    if hasKeypointScores { unsafe columns.keypoint_scores = kept(keypointScores) }
    if hasOrientedBoxes { unsafe columns.oriented_boxes = kept(orientedBoxes) }
    if !landmarks.isEmpty { finishLandmarks() }
    if !masks.isEmpty { finishMasks() }
    switch content {
    case .objects, .labels: break
    case .maps(let classCount): finishMaps(classCount)
    case .features(let dimension):
      unsafe columns.features = kept(features)
      unsafe columns.feature_count = dimension
    }
  }

  private mutating func finishLandmarks() {
    unsafe columns.keypoint_depths = kept(landmarks.depths)
    unsafe columns.keypoint_presences = kept(landmarks.presences)
    unsafe columns.keypoint_worlds = kept(landmarks.worlds)
    unsafe columns.right_hands = kept(landmarks.rightHands)
  }

  private mutating func finishMasks() {
    unsafe columns.mask_offsets = kept(masks.grids.offsets)
    unsafe columns.mask_cells = kept(masks.cells)
    unsafe columns.mask_sizes = kept(masks.grids.sizes)
    unsafe columns.mask_places = kept(masks.grids.places)
  }

  private mutating func finishMaps(_ classCount: Int) {
    unsafe columns.map_offsets = kept(maps.grids.offsets)
    unsafe columns.map_classes = kept(maps.classes)
    if maps.hasConfidences { unsafe columns.map_confidences = kept(maps.confidences) }
    unsafe columns.map_sizes = kept(maps.grids.sizes)
    unsafe columns.map_places = kept(maps.grids.places)
    unsafe columns.map_class_count = classCount
  }

  private mutating func kept<Value>(_ values: [Value]) -> UnsafePointer<Value>? {
    guard !values.isEmpty else { return nil }
    let copy = UnsafeMutablePointer<Value>.allocate(capacity: values.count)
    unsafe copy.initialize(from: values, count: values.count)
    unsafe memory.append(UnsafeMutableRawPointer(copy))
    return unsafe UnsafePointer(copy)
  }
}
