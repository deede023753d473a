// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaEvaluation

/// Frames of a source with the boxes of a `det.txt`.
struct PictureFeed: FrameFeed {
  private let table: DetectionTable
  private let name: String
  private let reader: any FrameReader
  private var tracker: ObjectTracker
  private var warnings: [String]

  init(
    _ table: DetectionTable, source: any FrameSource, frameRate: Double?, options: ObjectTracker.Options
  ) throws(FoveaError) {
    self.table = table
    name = source.name
    reader = try source.open()
    tracker = try ObjectTracker(
      frameRate: frameRate ?? reader.state.frameRate ?? table.info.frameRate, options: options)
    warnings = table.warnings
  }

  var state: SourceState {
    var state = reader.state
    state.warnings = warnings + state.warnings
    return state
  }

  mutating func next() async throws(FoveaError) -> FeedFrame? {
    guard let frame = try reader.next() else { return nil }
    let tracked = try tracker.track(frame, objects: table.objects(inFrame: frame.number))
    return FeedFrame(record: FrameRecord(tracked, source: name), pixels: frame.pixels)
  }
}
