// SPDX-License-Identifier: Apache-2.0

package import Fovea
import FoveaCore
import FoveaEvaluation
import FoveaTracking

/// Frames with known boxes but without images, such as those of a `det.txt`.
package struct DetectionFeed: FrameFeed {
  private let table: DetectionTable
  private let name: String
  private let frameRate: Double?
  private let lastFrame: Int
  private var tracker: any MultiObjectTracker
  private var labels = IdentityLabels()
  private var number = 0
  private var warnings: [String]
  private var gaps = 0
  private var validation = BoxValidation()
  private let boxLimit: Int

  /// Follows the boxes of `table`; `frameRate` is the user's value (nil uses the one in `seqinfo.ini`), and
  /// `rateHint` names its option.
  package init(
    _ table: DetectionTable, name: String, frameRate: Double?, options: ObjectTracker.Options,
    rateHint: String = ""
  ) throws(FoveaError) {
    self.table = table
    self.name = name
    let rate = frameRate ?? table.frameRate
    self.frameRate = rate
    warnings = table.warnings
    if table.lastFrame - table.lastFrameWithBoxes > Self.longestGap {
      lastFrame = table.lastFrameWithBoxes
      warnings.append("frames \(lastFrame + 1) to \(table.lastFrame) have no boxes; they are left out")
    } else {
      lastFrame = table.lastFrame
    }
    if let length = table.info.frameCount, table.lastFrameWithBoxes > length {
      warnings.append(
        "there are boxes up to frame \(table.lastFrameWithBoxes), but seqinfo.ini declares "
          + "\(DecimalText.counted(length, "frame", "frames")); all boxes are followed")
    }
    if rate == nil { warnings.append("the frame rate is unknown; 30 is assumed\(rateHint)") }
    boxLimit = options.tracker.detectionLimit
    tracker = try options.makeTracker(frameRate: rate)
  }

  /// A file without boxes is the result of a detector that found nothing.
  package var mayBeEmpty: Bool { true }

  package var state: SourceState {
    var state = SourceState()
    state.frameRate = frameRate
    state.expectedFrames = lastFrame
    state.warnings = warnings
    if number >= lastFrame { state.warnings += validation.warnings(limit: boxLimit, isCut: false) }
    return state
  }

  package mutating func next() async throws(FoveaError) -> FeedFrame? {
    guard number < lastFrame else { return nil }
    number += 1
    skipLongGap()
    let clock = ContinuousClock()
    let start = clock.now
    let detections = table.detections(inFrame: number)
    let objects = table.objects(inFrame: number)
    validation.take(detections.lazy.map(\.box), frame: number, size: table.size, limit: boxLimit)
    let seconds = frameRate.map { Double(number - 1) / $0 }
    let answers = tracker.update(
      detections, at: FrameTime(number: number, seconds: seconds), cameraMotion: nil)
    var record = FrameRecord(source: name, number: number, seconds: seconds, size: table.size, objects: [])
    for (found, answer) in zip(objects, answers) {
      guard let identity = answer.identity else { continue }
      var object = found
      object.trackingID = identity
      object.box = answer.box
      object.labels = labels.see(identity, found.labels, score: found.score, votedClass: answer.classIndex)
      record.objects.append(object)
    }
    labels.sweep { tracker.tracks }
    record.tracking = clock.now - start
    return FeedFrame(record: record, known: tracker.knownIdentities)
  }

  /// The longest run of empty frames that is processed frame by frame: 1.5 hours at 30 frames per second.
  private static let longestGap = 162_000
  private static let mostGapsTold = 10

  /// Prevents one wrong number in the file from causing hours of empty frames.
  private mutating func skipLongGap() {
    guard let next = table.nextFrame(after: number - 1), next - number > Self.longestGap else { return }
    gaps += 1
    if gaps <= Self.mostGapsTold {
      warnings.append("frames \(number) to \(next - 1) have no boxes; they are left out")
    } else if gaps == Self.mostGapsTold + 1 {
      warnings.append("more long gaps are left out too")
    }
    number = next
  }
}
