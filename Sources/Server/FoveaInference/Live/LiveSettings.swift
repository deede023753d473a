// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaFormats
import FoveaHTTP
import FoveaTracking
import HTTPTypes

/// What a live connection asks to be done with its frames.
struct LiveSettings: Sendable, Equatable {
  /// What a frame is answered with.
  enum Task: String, CaseIterable, Sendable {
    /// Objects with identities and counts.
    case track
    /// Objects of this frame alone.
    case detect
    /// Labels of the whole frame.
    case label

    /// The task that a model for it has.
    var ofModels: String { self == .label ? "label" : "detect" }
  }

  /// Nil takes the first model that does the task.
  var model: String?
  /// Nil takes what the model does, the first of all where none is named: objects are tracked.
  var task: Task?
  /// The least score of what is reported, at which objects that are tracked begin as well.
  ///
  /// Nil takes the model's own. Tracked objects then begin at 0.5, and their weaker boxes are reported too.
  var threshold: Float?
  /// The detector runs on every n-th frame, 1 to 1000; boxes move with the image in between.
  var every = 1
  /// The labels to report, where it is not empty; only one of the two lists is given.
  var allow: [String] = []
  /// The labels never to report.
  var deny: [String] = []
  /// Lines that count, each two points in pixels of the frame.
  var lines: [[Double]] = []
  /// Zones that count, each three points or more.
  var zones: [[Double]] = []

  /// The scores of the tracker.
  var tracking: FoveaTracker.Configuration { .detector(threshold: Double(threshold ?? 0.5)) }

  /// What the detector finds for the tracker, which wants weak boxes as well.
  var trackedSelection: ObjectDetector.Selection {
    var selection = detectedSelection
    selection.threshold = Float(tracking.lowScore)
    return selection
  }

  /// Those of the followed objects that are reported.
  ///
  /// The tracker needs weak boxes to keep an identity, so they are left out after it: at once, and for one frame only.
  func reported(_ objects: [DetectedObject]) -> [DetectedObject] {
    guard let threshold else { return objects }
    return objects.filter { $0.score >= threshold }
  }

  /// What the detector finds where nothing is tracked.
  var detectedSelection: ObjectDetector.Selection {
    var selection = ObjectDetector.Selection()
    selection.threshold = threshold
    selection.allowedLabels = allow.isEmpty ? nil : allow
    selection.deniedLabels = deny.isEmpty ? nil : deny
    return selection
  }

  /// What a labeler reports of a frame.
  var labeledSelection: ImageLabeler.Selection {
    var selection = ImageLabeler.Selection()
    selection.threshold = threshold
    selection.allowedLabels = allow.isEmpty ? nil : allow
    selection.deniedLabels = deny.isEmpty ? nil : deny
    return selection
  }

  /// Throws a refusal for what is out of its range.
  func check() throws(Refusal) {
    do throws(FoveaError) {
      try detectedSelection.check()
      try ObjectTracker.Options.check(every: every, frameRate: nil)
    } catch {
      let problem = error.option.map { "'\($0.name)' is \($0.value); it must be \($0.expected)" }
      throw Refusal(.badRequest, "option-invalid", problem ?? error.message, remedy: error.remedy.asked)
    }
    guard allow.isEmpty || deny.isEmpty else {
      throw CallOptions.twoLists
    }
    guard lines.allSatisfy({ $0.count == 4 }) else {
      throw LiveSettings.invalid(
        "lines", "must each have the four numbers x1, y1, x2, y2, as [[0, 240, 640, 240]]",
        "Give them in pixels of the frames")
    }
    guard zones.allSatisfy({ $0.count >= 6 && $0.count.isMultiple(of: 2) }) else {
      throw LiveSettings.invalid(
        "zones",
        "must each have three points or more, as [[0, 0, 320, 0, 320, 240]]: x and y of each in turn",
        "Give them in pixels of the frames")
    }
  }

  private static func invalid(_ name: String, _ problem: String, _ remedy: String) -> Refusal {
    Refusal(.badRequest, "option-invalid", "'\(name)' \(problem)", remedy: remedy)
  }

  /// Throws `option-invalid` for labels that the model does not have.
  func check(with model: ServedModel) async throws(FoveaError) {
    guard !(allow.isEmpty && deny.isEmpty) else { return }
    do throws(FoveaError) {
      switch model.engine {
      case .detector(let detector): try await detector.check(detectedSelection)
      case .labeler(let labeler): try await labeler.check(labeledSelection)
      }
    } catch {
      throw model.texts.concealed(error)
    }
  }

  /// Counters at the lines and zones, which have counted nothing yet.
  /// - Throws: `invalid-line` or `invalid-zone`.
  func counters() throws(FoveaError) -> FrameCounters {
    try FrameCounters(linePoints: lines, zonePoints: zones, memory: FrameCounters.memory(for: tracking))
  }

  /// The task, where the model can do it.
  /// - Throws: A refusal where it cannot.
  func task(of model: ServedModel) throws(Refusal) -> Task {
    let task = task ?? (model.task == "label" ? .label : .track)
    try InferenceCaller.check(task == .label ? .label : .detect, model)
    return task
  }
}
#endif
