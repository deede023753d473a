// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats
import FoveaGeometry
import FoveaTracking

/// The events of a run: what `--events` writes, and the stays in zones with names.
final class RunEvents {
  private var writer: EventJSONWriter
  /// Nil if only stays are measured.
  private let output: RecordOutput?
  private let threshold: Double
  /// Nil before the first frame.
  private var events: ObjectEvents?
  private var size: PixelSize?
  private var isRefusalTold = false
  private let console: Console

  /// Creates the events of a run.
  /// - Parameters:
  ///   - writer: The writer of the lines.
  ///   - threshold: The median score from which an object starts an event.
  ///   - console: The console for notes.
  ///   - open: Opens the file of `--events`; nil without one.
  init(
    writer: EventJSONWriter, threshold: Double, console: Console,
    open: (() throws(OutputFile.Failure) -> OutputFile)?
  ) {
    self.writer = writer
    self.threshold = threshold
    self.console = console
    output = open.map { RecordOutput(console: console, open: $0) }
  }

  /// Processes a frame and writes its events.
  /// - Parameters:
  ///   - record: The frame, upright.
  ///   - counters: The lines and zones, in pixels of the upright frame.
  /// - Returns: The stays in each zone; empty if the frame has no time.
  /// - Throws: `option-invalid` if the frames have no times and `--events` is given; the write error.
  func accept(
    _ record: FrameRecord, counters: FrameCounters
  ) throws(OutputFile.Failure) -> [ZoneStays] {
    guard let seconds = record.seconds else {
      guard output != nil else { return [] }
      throw .failed(.frameTimesMissing(option: "events"))
    }
    if events == nil {
      do throws(FoveaError) { events = try counters.events(threshold: threshold) } catch {
        throw .failed(error)
      }
    }
    size = record.size
    let found =
      events?.update(
        record.observed, frame: record.number, seconds: seconds, isWatched: record.isWatched) ?? []
    if output != nil, let events, events.refused > 0, !isRefusalTold {
      isRefusalTold = true
      console.note("64 events are open at a time; further objects have none.")
    }
    try write(found)
    return events?.stays ?? []
  }

  /// Finishes all events and closes the file; without frames, the file is empty.
  ///
  /// A run that failed before its first frame does not change an existing file.
  /// - Parameter reason: The reason of each `end`.
  /// - Throws: The write error.
  func finish(_ reason: ObjectEvent.Reason) throws(OutputFile.Failure) {
    guard let output, events != nil || reason != .interrupted else { return }
    if events != nil { try write(events?.finish(reason) ?? []) }
    try output.write("") { "" }
    try output.finish()
  }

  private func write(_ events: [ObjectEvent]) throws(OutputFile.Failure) {
    guard let output else { return }
    for event in events { try output.write(writer.text(for: event, in: size)) { "" } }
  }
}
