// SPDX-License-Identifier: Apache-2.0

import FoveaFlow
import FoveaGeometry
import FoveaImage
import FoveaTracking

/// The memory of an `ObjectTracker`: the tracker over boxes, the images that boxes move with, and the labels.
///
/// The tracker gets boxes of the upright frame, because it assumes that people are taller than wide;
/// everything else uses boxes of the stored frame.
struct TrackingPipeline: Sendable {
  private var tracker: any MultiObjectTracker
  private var labels = IdentityLabels()
  private var imageMotion: ImageMotion
  private var shape: FrameOrientation?
  /// The objects that move with the image until the detector runs again, in stored pixels.
  private var followed: [Followed] = []
  /// Whether boxes move with the image, or the camera's motion is measured in it.
  private var needsImages: Bool
  /// The pixels of the last frame, if they were not needed so far.
  private var unread: PixelBuffer?
  private let measuresCameraMotion: Bool
  /// Nil unless frames without motion are skipped.
  private var watch: MotionWatch?
  /// True if the current image is that of the next frame.
  private var isAhead = false

  /// An object that moves with the image.
  private struct Followed: Sendable {
    var identity: Int
    var box: AnchoredBox
    /// The object as it was detected.
    var detected: DetectedObject
  }

  init(_ options: ObjectTracker.Options, frameRate: Double?) throws(FoveaError) {
    tracker = try options.makeTracker(frameRate: frameRate)
    imageMotion = ImageMotion()
    measuresCameraMotion = options.measuresCameraMotion
    if options.motion == .auto { watch = MotionWatch(masks: try options.motionZones()) }
    needsImages = options.detectEvery > 1 || options.measuresCameraMotion || watch != nil
  }

  /// The number of identities remembered, including lost ones.
  var rememberedCount: Int { labels.count }

  /// Returns the frame with the identities that can still return after it.
  func completed(_ frame: TrackedFrame) -> TrackedFrame {
    var frame = frame
    frame.knownIdentities = tracker.knownIdentities
    return frame
  }

  /// Returns whether a frame continues the sequence of the previous one.
  func fits(_ frame: VideoFrame) -> Bool { shape == FrameOrientation(frame) }

  /// Reads the image of the next frame if frames are skipped, and decides if this one is.
  /// - Returns: The treatment of the frame.
  mutating func look(at frame: VideoFrame) throws(FoveaError) -> MotionSchedule.Step {
    guard watch != nil else { return .process }
    begin(FrameOrientation(frame))
    try imageMotion.advance(to: frame.pixels)
    isAhead = true
    return watch?.step(imageMotion.current, at: frame.seconds) ?? .process
  }

  /// Drops the image of a frame that was not processed after `look(at:)`.
  mutating func lookAway() {
    guard isAhead else { return }
    isAhead = false
    imageMotion.retreat()
  }

  /// Skips a frame.
  /// - Returns: The objects, which are where they were.
  mutating func skip(_ frame: VideoFrame) -> [DetectedObject] { watch?.skip(frame) ?? [] }

  /// Adds the objects that were found in a frame, in stored pixels.
  /// - Returns: The objects that have an identity, in the same order.
  mutating func take(
    _ objects: [DetectedObject], in frame: VideoFrame
  ) throws(FoveaError) -> [DetectedObject] {
    begin(FrameOrientation(frame))
    if needsImages { try advance(to: frame) } else { unread = frame.pixels }
    return try update(objects, in: FrameOrientation(frame), at: time(of: frame))
  }

  /// Adds the objects that were found in a frame whose image is not available, so that no box is moved with
  /// it.
  mutating func take(
    _ objects: [DetectedObject], in orientation: FrameOrientation, at time: FrameTime
  ) throws(FoveaError) -> [DetectedObject] {
    begin(orientation)
    unread = nil
    return try update(objects, in: orientation, at: time)
  }

  /// Records that the detector starts processing the last frame.
  mutating func remember() { imageMotion.remember() }

  /// Returns whether the remembered frame belongs to the same sequence as this one.
  func canCatchUp(with frame: VideoFrame) -> Bool { fits(frame) && imageMotion.isRemembering }

  /// Adds the objects that the detector found in the remembered frame, moved to a later frame with the image.
  ///
  /// Only if `canCatchUp` returns true.
  mutating func catchUp(
    _ objects: [DetectedObject], in frame: VideoFrame
  ) throws(FoveaError) -> [DetectedObject] {
    try imageMotion.advance(to: frame.pixels)
    var carried = objects
    for (index, box) in try imageMotion.movedSinceRemembered(objects.map(\.box)).enumerated() {
      // If the image shows no motion, the object stays in place.
      guard let box else { continue }
      carried[index].moveShape(of: objects[index], to: box)
      carried[index].box = box
    }
    return try update(carried, in: FrameOrientation(frame), at: time(of: frame))
  }

  /// Moves the objects with the image.
  /// - Returns: The objects that could be followed.
  mutating func move(to frame: VideoFrame) throws(FoveaError) -> [DetectedObject] {
    let orientation = FrameOrientation(frame)
    begin(orientation)
    try readLastFrame()
    try advance(to: frame)
    let moved = try imageMotion.moved(followed.map(\.box))
    let motion = try cameraMotion(orientation)
    var kept: [Followed] = []
    var moves: [MovedBox] = []
    var seen: [DetectedObject] = []
    for (object, box) in zip(followed, moved) {
      guard let box else { continue }
      var object = object
      object.box.box = box
      kept.append(object)
      moves.append(MovedBox(identity: object.identity, box: orientation.upright(box)))
      let visible = box.clamped(to: frame.pixels.size)
      guard !visible.isEmpty, let last = labels.last(object.identity) else { continue }
      var moved = DetectedObject(
        box: visible, score: last.score, labels: last.labels, trackingID: object.identity)
      moved.moveShape(of: object.detected, to: box)
      moved.mask = moved.mask?.clamped(to: frame.pixels.size)
      seen.append(moved)
    }
    followed = kept
    tracker.move(moves, at: time(of: frame), cameraMotion: motion)
    watch?.note(tracker.tracks, seen: seen, isDetected: false)
    return seen
  }

  /// Sets the scores of another configuration if the tracker is Fovea's own.
  mutating func setScores(_ configuration: FoveaTracker.Configuration) {
    guard var tracker = tracker as? FoveaTracker else { return }
    tracker.setScores(configuration)
    self.tracker = tracker
  }

  /// Removes all state.
  mutating func reset() {
    tracker.reset()
    labels.removeAll()
    imageMotion = ImageMotion()
    unread = nil
    followed = []
    shape = nil
    watch?.restart()
    isAhead = false
  }

  private mutating func update(
    _ objects: [DetectedObject], in orientation: FrameOrientation, at time: FrameTime
  ) throws(FoveaError) -> [DetectedObject] {
    var detections: [TrackingDetection] = []
    detections.reserveCapacity(objects.count)
    for object in objects {
      detections.append(
        TrackingDetection(
          box: orientation.upright(object.box), score: Self.decimal(object.score),
          classIndex: object.labels.first?.index))
    }
    let answers = tracker.update(detections, at: time, cameraMotion: try cameraMotion(orientation))
    var seen: [DetectedObject] = []
    followed.removeAll(keepingCapacity: true)
    for (object, answer) in zip(objects, answers) {
      guard let identity = answer.identity else { continue }
      var object = object
      let box = orientation.stored(answer.box)
      var detected = object
      detected.moveShape(of: object, to: box)
      detected.box = box
      followed.append(
        Followed(identity: identity, box: AnchoredBox(box: box, anchor: box), detected: detected))
      object.trackingID = identity
      object.box = box.clamped(to: orientation.size)
      object.labels = labels.see(identity, object.labels, score: object.score, votedClass: answer.classIndex)
      if !object.box.isEmpty { seen.append(object) }
    }
    imageMotion.setAnchor()
    labels.sweep { tracker.tracks }
    watch?.note(tracker.tracks, seen: seen, isDetected: true)
    return seen
  }

  /// Returns the score rounded to seven decimals.
  ///
  /// 0.7 as a `Float` is slightly less than 0.7, and would fail a limit of 0.7 that it equals.
  private static func decimal(_ score: Float) -> Double { (Double(score) * 1e7).rounded() / 1e7 }

  /// Returns the motion since the previous frame, in pixels of the upright frame; nil if it is not measured.
  private mutating func cameraMotion(_ orientation: FrameOrientation) throws(FoveaError) -> CameraMotion? {
    guard measuresCameraMotion else { return nil }
    return try imageMotion.cameraMotion(outside: tracker.tracks.map { orientation.stored($0.box) })
      .map { orientation.upright($0) }
  }

  /// Reads the image in which the tracked boxes were found, if that was postponed.
  private mutating func readLastFrame() throws(FoveaError) {
    needsImages = true
    guard let pixels = unread else { return }
    unread = nil
    try imageMotion.advance(to: pixels)
    imageMotion.setAnchor()
  }

  /// Returns the tracker's time of a frame: without that of skipped ones.
  private mutating func time(of frame: VideoFrame) -> FrameTime {
    watch?.time(of: frame) ?? FrameTime(frame)
  }

  /// Advances to the image of a frame, unless `look(at:)` has.
  private mutating func advance(to frame: VideoFrame) throws(FoveaError) {
    guard !isAhead else {
      isAhead = false
      return
    }
    try imageMotion.advance(to: frame.pixels)
  }

  private mutating func begin(_ orientation: FrameOrientation) {
    guard shape != orientation else { return }
    if shape != nil { reset() }
    shape = orientation
  }
}
