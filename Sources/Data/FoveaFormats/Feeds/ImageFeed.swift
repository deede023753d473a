// SPDX-License-Identifier: Apache-2.0

package import Fovea
import FoveaEvaluation

/// Frames of a source with the boxes of a `det.txt`.
package struct ImageFeed: FrameFeed {
  private let table: DetectionTable
  private let name: String
  private let reader: any FrameReader
  private var tracker: ObjectTracker
  private var warnings: [String]
  private var lastNumber = 0
  private var hasEnded = false
  private var validation = BoxValidation()
  private let boxLimit: Int

  package init(
    _ table: DetectionTable, source: any FrameSource, frameRate: Double?, options: ObjectTracker.Options
  ) throws(FoveaError) {
    self.table = table
    name = source.name
    reader = try source.open()
    tracker = try ObjectTracker(
      frameRate: frameRate ?? reader.state.frameRate ?? table.frameRate, options: options)
    boxLimit = options.tracker.detectionLimit
    warnings = table.warnings
  }

  package var state: SourceState {
    var state = reader.state
    state.warnings = warnings + state.warnings
    if hasEnded, lastNumber > 0, table.lastFrameWithBoxes > lastNumber {
      state.warnings.append(
        "the source ends with frame \(lastNumber); the boxes of later frames, up to "
          + "\(table.lastFrameWithBoxes), are left out")
    }
    if hasEnded { state.warnings += validation.warnings(limit: boxLimit, isCut: true) }
    return state
  }

  package mutating func next() async throws(FoveaError) -> FeedFrame? {
    let reader = reader
    // A camera may send nothing for long; a cancelled task stops the wait.
    let next = await withTaskCancellationHandler { () -> Result<VideoFrame?, FoveaError> in
      Result { () throws(FoveaError) in try reader.next() }
    } onCancel: {
      reader.cancel()
    }
    guard let frame = try next.get() else {
      hasEnded = !Task.isCancelled
      return nil
    }
    lastNumber = frame.number
    let objects = table.objects(inFrame: frame.number)
    validation.take(objects.lazy.map(\.box), frame: frame.number, size: frame.pixels.size, limit: boxLimit)
    let tracked = try tracker.track(frame, objects: objects)
    return FeedFrame(tracked, source: name)
  }
}
