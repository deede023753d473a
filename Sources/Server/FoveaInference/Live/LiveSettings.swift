// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaFormats
import FoveaHTTP
import FoveaTracking
import HTTPTypes

/// The settings of a live connection for its frames.
struct LiveSettings: Sendable, Equatable {
  /// The kind of answer to a frame.
  enum Task: String, CaseIterable, Sendable {
    /// Objects with identities and counts.
    case track
    /// Objects of this frame only.
    case detect
    /// Labels of the whole frame.
    case label

    /// The task that a model needs for it.
    var ofModels: ServedTask { self == .label ? .label : .detect }
  }

  /// The model; nil for the first model with the task.
  var model: String?
  /// The task; nil for the model's own, or the first model's if none is named: objects are tracked.
  var task: Task?
  /// The minimum score to report, which is also the minimum score to start tracking an object.
  ///
  /// Nil for the model's own; tracked objects then start at 0.5, and their weaker boxes are reported too.
  var threshold: Float?
  /// The detector runs on every n-th frame, 1 to 1000; between them, boxes move with the image.
  ///
  /// Nil for the default: 2 for a source with events, else 1.
  var every: Int?
  /// The labels to report, if not empty; only one of the two lists may be given.
  var allow: [String] = []
  /// The labels never to report.
  var deny: [String] = []
  /// The form of masks in results.
  var masks = MaskForm.rle
  /// Counting lines, each as two points in pixels of the frame.
  var lines: [CountedShape] = []
  /// Counting zones, each as three or more points.
  var zones: [CountedShape] = []
  /// The stays that are events, in seconds, by the name of the zone.
  var dwells: [String: Double] = [:]

  /// The lines, and the zones.
  var shapes: [[CountedShape]] { [lines, zones] }

  /// The treatment of a source's frames without motion; nil for the server's default.
  var motion: ObjectTracker.Options.Motion?
  /// Areas of a source in which motion does not count, each as three or more points.
  var motionMasks: [[Double]] = []

  /// The labels of the objects that are blurred in all images of a source.
  var blur: [String] = []

  /// The options of the tracker.
  var trackerOptions: ObjectTracker.Options {
    var options = ObjectTracker.Options()
    options.tracker = .fovea(tracking)
    options.detectEvery = every ?? 1
    options.motion = motion ?? .off
    options.motionMasks = motionMasks.map { FrameCounters.points($0) }
    return options
  }

  /// The tracker's scores.
  var tracking: FoveaTracker.Configuration { .detector(threshold: Double(threshold ?? 0.5)) }

  /// The detector's selection for the tracker, which needs weak boxes too.
  var trackedSelection: ObjectDetector.Selection {
    var selection = detectedSelection
    selection.threshold = Float(tracking.lowScore)
    return selection
  }

  /// Returns the followed objects to report.
  ///
  /// The tracker needs weak boxes to keep an identity, so they are filtered out only after it, in each frame
  /// by its own scores.
  func reported(_ objects: [DetectedObject]) -> [DetectedObject] {
    guard let threshold else { return objects }
    return objects.filter { $0.score >= threshold }
  }

  /// The detector's selection without tracking.
  var detectedSelection: ObjectDetector.Selection {
    var selection = ObjectDetector.Selection()
    selection.threshold = threshold
    selection.allowedLabels = allow.isEmpty ? nil : allow
    selection.deniedLabels = deny.isEmpty ? nil : deny
    return selection
  }

  /// The labeler's selection.
  var labeledSelection: ImageLabeler.Selection {
    var selection = ImageLabeler.Selection()
    selection.threshold = threshold
    selection.allowedLabels = allow.isEmpty ? nil : allow
    selection.deniedLabels = deny.isEmpty ? nil : deny
    return selection
  }

  /// Throws a refusal for values out of range.
  func check() throws(Refusal) {
    do throws(FoveaError) {
      try detectedSelection.check()
      try ObjectTracker.Options.check(every: every ?? 1, frameRate: nil)
    } catch {
      var refusal = error.refusal
      if let option = error.option {
        refusal.message = "'\(option.name)' is \(option.value); it must be \(option.expected)"
      }
      throw refusal
    }
    guard allow.isEmpty || deny.isEmpty else {
      throw CallOptions.twoLists
    }
    try checkBlur()
    for (member, label) in namedLabels
    where deny.contains(label) || !allow.isEmpty && !allow.contains(label) {
      throw LiveSettings.invalid(
        member, "has '\(label.prefix(40))', which the source does not look for",
        "Correct it, 'allow' or 'deny'")
    }
    guard lines.allSatisfy({ $0.points.count == 4 }) else {
      throw LiveSettings.invalid(
        "lines", "must each have the four numbers x1, y1, x2, y2, such as [[0, 240, 640, 240]]",
        "Give them in pixels of the frames")
    }
    guard zones.allSatisfy({ $0.points.count >= 6 && $0.points.count.isMultiple(of: 2) }) else {
      throw LiveSettings.invalid(
        "zones",
        "must each have three or more points x, y, such as [[0, 0, 320, 0, 320, 240]]",
        "Give them in pixels of the frames")
    }
    guard motionMasks.allSatisfy({ $0.count >= 6 && $0.count.isMultiple(of: 2) }) else {
      throw LiveSettings.invalid(
        "motion-masks",
        "must each have three or more points x, y, such as [[0, 0, 640, 0, 640, 20, 0, 20]]",
        "Give them in pixels of the frames")
    }
  }

  /// Refuses settings with which an object could be in an image before it is found.
  private func checkBlur() throws(Refusal) {
    guard !blur.isEmpty else { return }
    guard (every ?? 1) == 1, motion != .auto else {
      let other = motion == .auto ? "'motion' is 'auto'" : "'every' is \(every ?? 1)"
      throw LiveSettings.invalid(
        "blur", "needs the detector on each frame, but \(other)", "Remove one of the two")
    }
  }

  /// The labels that the settings name, besides those to report or not, with the member that names them.
  private var namedLabels: [(member: String, label: String)] {
    blur.map { ("blur", $0) } + zones.flatMap { zone in zone.labels.map { ("labels", $0) } }
  }

  private static func invalid(_ name: String, _ problem: String, _ remedy: String) -> Refusal {
    Refusal(.badRequest, "option-invalid", "'\(name)' \(problem)", remedy: remedy)
  }

  /// Throws `option-invalid` for labels that the model does not have.
  func check(with model: ServedModel) async throws(FoveaError) {
    guard !(allow.isEmpty && deny.isEmpty && namedLabels.isEmpty) else { return }
    do throws(FoveaError) {
      switch model.engine {
      case .detector(let detector):
        try await detector.check(detectedSelection)
        guard !namedLabels.isEmpty else { return }
        let names = try await detector.classNames()
        for (member, label) in namedLabels where !names.contains(label) {
          throw FoveaError.optionInvalid(
            "'\(label.prefix(80))' of '\(member)' is not a label of the model",
            remedy: "Write labels exactly as the model does, as in the results of \(command: "detect")")
        }
      case .labeler(let labeler): try await labeler.check(labeledSelection)
      // Refused for their task.
      case .segmenter, .embedder: return
      }
    } catch {
      throw model.texts.concealed(error)
    }
  }

  /// Returns counters for the lines and zones, starting at 0.
  /// - Throws: `invalid-line` or `invalid-zone`.
  func counters() throws(FoveaError) -> FrameCounters {
    try FrameCounters(
      lines: lines, zones: zones, dwells: dwells, memory: FrameCounters.memory(for: tracking))
  }

  /// Returns the task, if the model supports it.
  /// - Throws: A refusal if it does not.
  func task(of model: ServedModel) throws(Refusal) -> Task {
    let task = task ?? (model.task == .label ? .label : .track)
    try InferenceCaller.check(task.ofModels, model)
    return task
  }
}
#endif
