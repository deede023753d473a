// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats
import FoveaGeometry
import FoveaTracking

/// The final stage of a frame: counts it, writes it and makes its images.
final class FrameSink {
  private let console: Console
  private let total: Console.Total
  private let writer: any FrameWriter
  private let isUpright: Bool
  private let output: RecordOutput
  private let images: FrameImages?
  private let events: RunEvents?
  private let heatMap: HeatMapOutput?
  private let gaps: GapFilling?
  /// The notes about shapes that the format does not hold; nil for a writer without a format.
  private var shapes: ShapeNotes?
  /// The maximum number of frames; nil for all.
  private let limit: Int?
  private var counters: FrameCounters
  /// The places and speeds of objects; nil without `--ground`.
  private var ground: GroundMotion?
  /// The stays in each zone; empty if they are not measured.
  private var stays: [ZoneStays] = []
  private var isFinished = false

  /// Whether only the counts are printed.
  private let printsCountsOnly: Bool
  /// The counts over time; nil if they are printed once or not at all.
  private var intervals: CountIntervals?
  private let countsText: (CountTable) -> String
  private(set) var frames = 0
  private var detected = 0
  private var identities = IdentityCount()
  private var skipped = 0

  init(
    console: Console, total: Console.Total, writer: any FrameWriter, isUpright: Bool,
    counters: FrameCounters, ground: GroundPlane? = nil, printsCountsOnly: Bool,
    intervals: CountIntervals? = nil, images: FrameImages?,
    events: RunEvents? = nil, heatMap: HeatMapOutput? = nil, gaps: GapFilling?, limit: Int? = nil,
    shapes: ShapeNotes? = nil,
    countsText: @escaping (CountTable) -> String = \.text,
    open: @escaping () throws(OutputFile.Failure) -> OutputFile
  ) {
    self.console = console
    self.total = total
    self.writer = writer
    self.isUpright = isUpright
    self.counters = counters
    self.ground = ground.map { GroundMotion(on: $0) }
    self.printsCountsOnly = printsCountsOnly
    self.intervals = intervals
    self.images = images
    self.events = events
    self.heatMap = heatMap
    self.gaps = gaps
    self.limit = limit
    self.shapes = shapes
    self.countsText = countsText
    output = RecordOutput(console: console, open: open)
  }

  /// Processes one frame.
  func accept(_ frame: FeedFrame, state: SourceState) throws(OutputFile.Failure) {
    // Only if something needs it.
    lazy var upright = frame.record.upright()
    var record = isUpright ? upright : frame.record
    frames += 1
    skipped = state.skippedFrames
    total.count = state.expectedFrames.map { min($0, limit ?? .max) } ?? limit
    if record.isDetected { detected += 1 }
    for object in record.objects { identities.see(object.trackingID) }
    if !printsCountsOnly {
      for note in shapes?.notes(for: record.objects) ?? [] { console.note(note) }
    }
    do throws(FoveaError) {
      if !counters.isEmpty { try count(upright.objects, in: &record, known: frame.known) }
      if ground != nil { try measure(upright.objects, in: &record) }
      try heatMap?.accept(upright)
    } catch {
      throw .failed(error)
    }
    if let events {
      stays = try events.accept(upright, counters: counters)
      if record.counts != nil { record.counts = table }
    }
    if let images {
      do throws(FoveaError) {
        try images.accept(frame, upright, counters: counters, source: state)
        if frames == 1 { for note in images.notes { console.note(note + ".") } }
      } catch {
        throw .failed(error)
      }
    }
    if let gaps { gaps.keep(record) } else { try write(record) }
    try writeIntervals(record)
    console.progress(done: frames, failed: 0, skipped: 0)
  }

  /// Writes the remaining output and closes all files; an error here does not remove what is already written.
  ///
  /// A run that failed before its first frame does not change an existing file.
  /// - Parameters:
  ///   - hasFailed: Whether an error ended the run.
  ///   - isWhole: Whether the source was read to its end.
  /// - Throws: The first write error.
  func finish(hasFailed: Bool = false, isWhole: Bool = false) throws(OutputFile.Failure) {
    guard !isFinished else { return }
    isFinished = true
    var failure: OutputFile.Failure?
    do throws(OutputFile.Failure) {
      if let gaps { for record in gaps.filled() { try write(record) } }
      if frames > 0 || !hasFailed {
        if let intervals {
          try write(intervals.finish())
        } else if printsCountsOnly {
          try write(countsText(table))
        } else if frames == 0 {
          try write("")
        }
      }
      try output.finish()
    } catch {
      failure = error
    }
    do throws(OutputFile.Failure) {
      try events?.finish(hasFailed ? .interrupted : isWhole ? .sourceEnded : .stopped)
    } catch {
      failure = failure ?? error
    }
    if !printsCountsOnly { for note in shapes?.unused ?? [] { console.note(note) } }
    do throws(FoveaError) { try images?.finish(isWhole: isWhole) } catch {
      failure = failure ?? .failed(error)
    }
    do throws(FoveaError) { try heatMap?.finish(hasFailed: hasFailed) } catch {
      failure = failure ?? .failed(error)
    }
    if frames > 0 {
      for note in (images?.lastNotes ?? []) + (heatMap?.notes ?? []) { console.note(note) }
    }
    if let failure { throw failure }
  }

  /// Prints the last line of a run.
  func summary(to console: Console, elapsed: Duration) {
    let counted = DecimalText.counted
    var parts = [
      counted(frames, "frame", "frames"), counted(identities.count, "identity", "identities"),
    ]
    if detected < frames { parts.append("detected on \(counted(detected, "frame", "frames"))") }
    if skipped > 0 { parts.append("\(DecimalText.grouped(skipped)) skipped (could not be decoded)") }
    if elapsed.seconds > 0, frames > 0 {
      parts.append("\(DecimalText.fixed(Double(frames) / elapsed.seconds, places: 1)) frames/s")
    }
    console.summary(parts.joined(separator: ", "))
    if !counters.isEmpty && (!printsCountsOnly || intervals != nil) {
      console.summary(String(counters.table.text.dropLast()))
    }
  }

  /// The counts so far, with the stays if they are measured.
  private var table: CountTable {
    var table = counters.table
    table.stays = stays
    return table
  }

  /// Counts the objects of a frame in upright coordinates, and stores the counts in its record.
  private func count(
    _ objects: [DetectedObject], in record: inout FrameRecord, known: [Int]?
  ) throws(FoveaError) {
    if frames == 1, let size = record.size {
      for note in counters.notes(outside: size) { console.note(note + ".") }
      if record.space == .stored, record.orientation != .up {
        counters = try counters.rotated(by: record.orientation, stored: size)
      }
    }
    counters.update(objects, known: known)
    record.counts = counters.table
  }

  private func write(_ record: FrameRecord) throws(OutputFile.Failure) {
    if !printsCountsOnly { try write(writer.text(for: record)) }
  }

  /// Stores the places and speeds of objects, in upright coordinates, in the record of a frame.
  private func measure(_ objects: [DetectedObject], in record: inout FrameRecord) throws(FoveaError) {
    guard let seconds = record.seconds else { throw .frameTimesMissing(option: "ground") }
    if frames == 1, let motion = ground, let size = record.size, record.space == .stored,
      record.orientation != .up
    {
      do throws(CountingError) {
        ground = GroundMotion(on: try motion.plane.rotated(by: record.orientation, stored: size))
      } catch {
        throw FoveaError(error)
      }
    }
    let boxes = objects.compactMap { object in object.trackingID.map { ($0, object.box) } }
    record.ground = ground?.update(
      Dictionary(boxes) { first, _ in first }, seconds: seconds)
  }

  /// Writes the rows of the interval that ended before a frame, if one has.
  private func writeIntervals(_ record: FrameRecord) throws(OutputFile.Failure) {
    guard intervals != nil else { return }
    guard let seconds = record.seconds else { throw .failed(.frameTimesMissing(option: "counts-every")) }
    if let rows = intervals?.update(table, seconds: seconds), !rows.isEmpty { try write(rows) }
  }

  private func write(_ text: String) throws(OutputFile.Failure) {
    try output.write(text) {
      intervals != nil ? CountIntervals.header : printsCountsOnly ? "" : writer.header()
    }
  }
}

extension FoveaError {
  /// An option needs the times of frames, but the boxes of a file have none.
  static func frameTimesMissing(option: String) -> FoveaError {
    FoveaError(
      .optionInvalid, "--\(option) needs the times of frames, and the boxes have no frame rate",
      remedy: "Give the frames per second with --frame-rate")
  }
}
