// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding
import FoveaGeometry
import FoveaImage
import FoveaMetadata
import FoveaRuntime

/// One session of a detector, with its classifier and all memory that is reused from image to image.
final class DetectionWorker: ImageWorker {
  private let plan: DetectionPlan
  private let session: Session
  private let classification: ClassificationStage?
  private let landmarks: LandmarkStage?
  private let preparation: ImagePreparation
  private let scratch = TensorScratch()
  private var outputs: [[Float]]

  private var state: StateTensors { plan.state }
  private var input: ImageInputTensor { plan.input }
  private var decoder: any DetectionDecoder { plan.decoder }
  private var labels: LabelMap? { plan.labels }

  // A crop that covers at least this fraction of the image's side is decoded at the resolution of the second
  // stage; for a smaller one the image is decoded a second time. Decoding every image at full size would cost
  // more.
  private static let expectedCropShare = 0.25

  init(_ plan: DetectionPlan) throws {
    self.plan = plan
    session = try plan.loaded.session(plan.session)
    classification = try plan.classification.map(ClassificationStage.init)
    landmarks = try plan.landmarks.map(LandmarkStage.init)
    preparation = ImagePreparation(plan.options)
    outputs = Array(repeating: [], count: plan.state.outputs.count)
  }

  /// The assumptions made about values that neither the caller nor the models declare.
  var assumptions: [Advice] {
    let isNamed = decoder.hasClasses && plan.relabeling == nil
    let remarks = isNamed ? plan.loaded.remarks(labels) : plan.loaded.repairs
    var assumptions = (remarks + session.notes).map { Advice($0) }
    assumptions += input.assumptions(modelName: plan.loaded.name)
    assumptions += decoder.assumptions + [twinNote].compactMap(\.self)
    assumptions += plan.unsettledLabels?.assumptions ?? []
    assumptions += landmarks?.assumptions ?? []
    return assumptions + (classification?.assumptions ?? [])
  }

  /// The note that another family, whose images are normalised in another way, has the same outputs; nil if
  /// there is none, or the caller or the model shows which it is.
  private var twinNote: Advice? {
    guard plan.options.family == nil, input.normalizationSource == .family, let twin = decoder.twin else {
      return nil
    }
    return """
      '\(plan.loaded.name)' is read as '\(decoder.family)'; '\(twin)' has the same outputs, but another \
      normalisation. If it is one of those, name the family (\(option: "family", twin.name))
      """
  }

  /// The names of the classes that an object's first label can have, by index; empty if unknown.
  var classNames: [String] {
    if decoder.hasClasses, plan.relabeling == nil { return labels.map { $0.displayNames ?? $0.names } ?? [] }
    return classification?.plan.classNames ?? []
  }

  /// Verifies that a selection can be applied.
  func check(_ selection: ObjectDetector.Selection) throws { _ = try plan.rules(selection) }

  /// Opens and decodes an image as `detect` does.
  func prepare(_ image: ImageInput) throws -> PreparedImage {
    let opened = try preparation.open(image)
    let layout = try layout(of: try RegionOfInterest.resolve(nil, in: opened), in: opened, plan.rules)
    return PreparedImage(opened: opened, decoded: try decode(image, opened, layout))
  }

  func analyze(
    _ image: ImageInput, region: BoundingBox?, token: CancellationToken
  ) throws -> DetectionResult {
    try detect(in: image, region: region, memory: StreamMemory(), token: token).result
  }

  /// Finds the objects of an image, or of the next frame of a stream.
  ///
  /// `memory` is the model's state from the previous frame; empty for a single image.
  func detect(
    in image: ImageInput, region: BoundingBox?, selecting selection: ObjectDetector.Selection? = nil,
    memory: StreamMemory, token: CancellationToken
  ) throws -> FrameFindings {
    let clock = ContinuousClock()
    let start = clock.now
    let rules: DetectionRules =
      try selection.map { selection throws(FoveaError) in try plan.rules(selection) } ?? plan.rules
    var timings = StageTimings()
    let opened = try preparation.open(image)
    let wanted = try RegionOfInterest.resolve(region, in: opened)
    let layout = try layout(of: wanted, in: opened, rules)
    let decoded = try decode(image, opened, layout)
    timings.decode = clock.now - start

    let maxObjects = rules.maxObjects(tiles: layout.tiles.count)
    let earlier = rules.options.singleObject ? [] : memory.objects(in: opened, wanted)
    var objects =
      try landmarks.map { stage in
        try followed(
          earlier, by: stage, decoded, opened, after: memory.interval, token: token, timings: &timings)
      } ?? []
    let looks = !state.pairs.isEmpty || memory.needsDetector(followed: objects.count, limit: maxObjects)
    var remembered: [RecurrentState] = []
    if looks {
      let found = try detected(
        in: decoded, opened, layout, rules, memory: memory, token: token, remembered: &remembered,
        timings: &timings)
      objects =
        try landmarks.map { stage in
          try landmarked(
            found, besides: objects, limit: maxObjects, by: stage, decoded, opened, token: token,
            timings: &timings)
        } ?? found
    }
    objects = Array(objects.prefix(maxObjects))
    let next = objects.filter { $0.square != nil }
    for index in objects.indices { (objects[index].square, objects[index].smoother) = (nil, nil) }
    timings.total = clock.now - start
    return FrameFindings(
      result: DetectionResult(
        size: opened.size, orientation: opened.orientation, objects: objects, timings: timings,
        notes: [decoded.note].compactMap(\.self)),
      memory: StreamMemory(
        remembered, next, of: opened, seen: memory.seconds, detected: memory.lastDetection(looks)))
  }

  /// Returns the objects that the detector and the classifier find, and adds the state of each tile.
  private func detected(
    in decoded: DecodedImage, _ opened: OpenedImage, _ layout: TileLayout, _ rules: DetectionRules,
    memory: StreamMemory, token: CancellationToken, remembered: inout [RecurrentState],
    timings: inout StageTimings
  ) throws -> [DetectedObject] {
    let clock = ContinuousClock()
    let maxObjects = rules.maxObjects(tiles: layout.tiles.count)
    // Classes that are not allowed must not count towards the limit, and the most prominent object may be of
    // any class.
    let isFinal = rules.filter.isAllowed == nil && (!rules.options.singleObject || plan.relabeling != nil)
    let limit = isFinal ? maxObjects : max(maxObjects, decoder.maximumDetections)
    var found: [TileDetection] = []
    let before = memory.tiles(layout.tiles.count, of: opened)
    for index in layout.tiles.indices {
      if let before { try session.restore(before[index], state) } else { session.clear(state) }
      try detect(
        tile: layout.tiles[index], of: decoded, opened, number: index, rules, limit: limit, token: token,
        into: &found, timings: &timings)
      if !state.pairs.isEmpty { remembered.append(session.remembered(state)) }
    }
    if layout.tiles.count > 1 {
      let merging = clock.now
      found = withoutCrossClassDuplicates(layout.merged(found), rules)
      timings.detect += clock.now - merging
    }
    var objects = try objects(from: found, limit: isFinal ? maxObjects : found.count)
    if plan.relabeling == nil { objects = reported(objects, in: opened, rules, limit: maxObjects) }
    if let classification, !objects.isEmpty {
      let ranking = plan.relabeling?.ranking ?? rules.ranking
      try label(&objects, with: classification, ranking, decoded, opened, token: token, timings: &timings)
    }
    guard let relabeling = plan.relabeling else { return objects }
    return reported(relabeling.ranked(objects, rules), in: opened, rules, limit: maxObjects)
  }

  /// Returns the tiles to run the model on: only the region unless slicing is on.
  private func layout(
    of region: BoundingBox, in opened: OpenedImage, _ rules: DetectionRules
  ) throws(FoveaError) -> TileLayout {
    try rules.options.slicing?.layout(
      of: region, input: input.spec.size, orientation: opened.orientation, imageName: opened.name)
      ?? TileLayout(region: region)
  }

  /// Decodes the image once, at a resolution that is high enough for the smallest tile.
  private func decode(_ image: ImageInput, _ opened: OpenedImage, _ layout: TileLayout) throws(ImageError)
    -> DecodedImage
  {
    let region = layout.region
    // In a letterbox, the image itself is smaller than the tensor.
    var size = ImageInputTensor.decodeSize(
      for: input.spec.place(of: layout.tiles.last ?? region, upright: opened.orientation).image,
      input.spec.sampling)
    if let tile = layout.tiles.last, layout.tiles.count > 1 {
      let isTransposed = opened.orientation.isTransposed
      let (x, y) = (region.width / tile.width, region.height / tile.height)
      size.width = Int((Double(size.width) * (isTransposed ? y : x)).rounded(.up))
      size.height = Int((Double(size.height) * (isTransposed ? x : y)).rounded(.up))
    }
    for stage in [classification?.plan.input, landmarks?.plan.input] {
      guard let crop = stage?.decodeSize else { continue }
      size.width = max(size.width, Int(Double(crop.width) / Self.expectedCropShare))
      size.height = max(size.height, Int(Double(crop.height) / Self.expectedCropShare))
    }
    return try preparation.decode(image, opened, region: region, atLeast: size)
  }

  /// Runs the model on one region of the image, in stored pixels, and appends the detections that the lists
  /// allow: in descending order of score, at most `limit`, clipped to the image.
  private func detect(
    tile region: BoundingBox, of decoded: DecodedImage, _ opened: OpenedImage, number: Int,
    _ rules: DetectionRules, limit: Int, token: CancellationToken, into found: inout [TileDetection],
    timings: inout StageTimings
  ) throws {
    let clock = ContinuousClock()
    let start = clock.now
    let used = unsafe try session.withUnsafeInputBytes(state.inputs[0]) { bytes throws(ImageError) in
      unsafe try decoded.write(
        region: region, upright: opened.orientation, spec: input.spec, into: bytes, scratch: scratch)
    }
    let prepared = clock.now
    timings.prepare += prepared - start
    try session.run(cancelledBy: token)
    for (place, index) in state.outputs.enumerated() {
      try session.readNumbers(output: index, into: &outputs[place])
    }
    let detections = try decoder.decode(outputs, threshold: rules.threshold, limit: limit)
    let orientation = opened.orientation
    let upright = orientation.uprightBox(fromStored: used, stored: opened.size)
    let tensor = BoundingBox(
      x: 0, y: 0, width: Double(input.spec.size.width), height: Double(input.spec.size.height))
    for detection in detections {
      // An object whose label line names no class shows that names are shifted: the lists must not hide it.
      let unsettled = plan.unsettledLabels?.error(ofClass: detection.classIndex)
      guard unsettled != nil || rules.filter.allows(detection.classIndex) else { continue }
      let uprightBox = detection.box.pixels(in: upright)
      let box = orientation.storedBox(fromUpright: uprightBox, stored: opened.size).clamped(to: opened.size)
      guard !box.isEmpty else { continue }
      if let unsettled { throw unsettled }
      let uprightPoints = detection.keypoints.map { $0.pixels(in: upright) }
      func stored(_ point: PixelPoint) -> PixelPoint {
        orientation.storedPoint(fromUpright: point, stored: opened.size)
      }
      let mask = detection.mask.map {
        orientation.storedMask(fromUpright: $0.moved(from: tensor, to: upright), stored: opened.size)
          .clipped(to: box)
      }
      let orientedBox = detection.orientedBox.map {
        orientation.storedBox(fromUpright: $0.moved(from: tensor, to: upright), stored: opened.size)
      }
      var placed = TileDetection(
        box: box, score: detection.score, classIndex: plan.relabeling == nil ? detection.classIndex : nil,
        tile: number, keypoints: uprightPoints.map(stored), keypointScores: detection.keypointScores,
        mask: mask, orientedBox: orientedBox,
        square: plan.landmarks?.crop(ofClass: detection.classIndex, box: uprightBox, points: uprightPoints))
      placed.landmarkDetails = detection.landmarks.flatMap {
        LandmarkDetails($0, in: OrientedBox(upright), toStored: stored)
      }
      found.append(placed)
    }
    timings.detect += clock.now - prepared
  }

  /// Returns the merged detections without duplicates across classes; the one with the higher score is kept.
  private func withoutCrossClassDuplicates(
    _ found: [TileDetection], _ rules: DetectionRules
  ) -> [TileDetection] {
    let kept = nonMaximumSuppression(
      boxes: found.map(\.box), scores: found.map(\.score), classes: found.map { $0.classIndex ?? 0 },
      threshold: 1,
      crossClassThreshold: plan.options.suppression.crossClassIoU(threshold: rules.threshold))
    return kept.map { found[$0] }
  }

  /// Returns the best `limit` detections as objects.
  private func objects(from found: [TileDetection], limit: Int) throws(FoveaError) -> [DetectedObject] {
    var objects: [DetectedObject] = []
    let best = found.prefix(limit)
    objects.reserveCapacity(best.count)
    for detection in best {
      var object = DetectedObject(
        box: detection.box, score: detection.score, labels: try classLabels(detection),
        keypoints: detection.keypoints, keypointScores: detection.keypointScores, mask: detection.mask,
        orientedBox: detection.orientedBox)
      (object.square, object.landmarkDetails) = (detection.square, detection.landmarkDetails)
      objects.append(object)
    }
    return objects
  }

  /// Returns the objects to report: the most prominent one, or the first `limit`.
  private func reported(
    _ objects: [DetectedObject], in opened: OpenedImage, _ rules: DetectionRules, limit: Int
  ) -> [DetectedObject] {
    guard rules.options.singleObject else { return Array(objects.prefix(limit)) }
    let best = objects.max { $0.prominence(in: opened.size) < $1.prominence(in: opened.size) }
    return best.map { [$0] } ?? []
  }

  private func classLabels(_ detection: TileDetection) throws(FoveaError) -> [Label] {
    guard let index = detection.classIndex else { return [] }
    if let labels { try labels.check(class: index, of: plan.loaded.name) }
    return [Label(text: labels?.text(for: index), index: index, confidence: detection.score)]
  }

  /// Adds the classifier's labels to each object, from a crop decoded at the resolution that the crop needs.
  private func label(
    _ objects: inout [DetectedObject], with stage: ClassificationStage, _ ranking: LabelRanking?,
    _ decoded: DecodedImage, _ opened: OpenedImage, token: CancellationToken, timings: inout StageTimings
  ) throws {
    let margin = stage.plan.loaded.embedded == .classifier ? EmbeddedModel.cropMargin : 0
    let crops = objects.map { object in
      plan.relabeling == nil
        ? object.box.expanded(by: margin).clamped(to: opened.size)
        : ObjectCrop.region(of: object.box, in: opened.size)
    }
    let clock = ContinuousClock()
    let start = clock.now
    let refined = try preparation.refine(
      decoded, of: opened, regions: crops, atLeast: stage.plan.input.decodeSize)
    timings.decode += clock.now - start
    for index in objects.indices {
      let labels = try stage.labels(
        of: refined, region: crops[index], ranking: ranking, token: token, timings: &timings)
      if let first = labels.first, first.index == plan.namelessClass { continue }
      objects[index].labels += labels
    }
  }

  /// Returns the objects of the previous frame, `seconds` ago, that the landmark model still sees, with new
  /// points and crops.
  private func followed(
    _ earlier: [DetectedObject], by stage: LandmarkStage, _ decoded: DecodedImage, _ opened: OpenedImage,
    after seconds: Double?, token: CancellationToken, timings: inout StageTimings
  ) throws -> [DetectedObject] {
    guard !earlier.isEmpty else { return [] }
    let refined = try refined(decoded, opened, for: earlier, by: stage, timings: &timings)
    return try stage.follow(
      earlier, in: refined, of: opened, after: seconds, token: token, timings: &timings)
  }

  /// Returns the objects with the points of the landmark model, and the crops that show them in the next
  /// frame.
  private func landmarked(
    _ objects: [DetectedObject], besides followed: [DetectedObject], limit: Int, by stage: LandmarkStage,
    _ decoded: DecodedImage, _ opened: OpenedImage, token: CancellationToken, timings: inout StageTimings
  ) throws -> [DetectedObject] {
    let refined = try refined(decoded, opened, for: objects, by: stage, timings: &timings)
    return try stage.objects(
      objects, besides: followed, limit: limit, in: refined, of: opened, token: token, timings: &timings)
  }

  /// Returns the image at the resolution that the landmark model needs for its crops of the objects.
  private func refined(
    _ decoded: DecodedImage, _ opened: OpenedImage, for objects: [DetectedObject], by stage: LandmarkStage,
    timings: inout StageTimings
  ) throws -> DecodedImage {
    let clock = ContinuousClock()
    let start = clock.now
    // Only the size of a region matters.
    let refined = try preparation.refine(
      decoded, of: opened, regions: objects.compactMap(\.uprightSquare), atLeast: stage.plan.input.decodeSize)
    timings.decode += clock.now - start
    return refined
  }
}
