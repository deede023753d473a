// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats
import FoveaTracking
import FoveaVideo

/// One run of `fovea track`, from the first frame to the exit code.
struct TrackRun {
  /// The final stage of each frame.
  var sink: FrameSink
  var console: Console
  var stop: StopSignal
  /// The maximum number of frames; nil for all.
  var limit: Int?
  var start: ContinuousClock.Instant

  /// Runs to completion, prints all errors, and returns the exit code.
  func execute(_ makeFeed: () async throws(FoveaError) -> any FrameFeed) async -> Int32 {
    var told = 0
    var end = RunEnd.finished
    do throws(FoveaError) {
      var feed = try await makeFeed()
      end = await frames(of: &feed, told: &told)
      tell(feed.state, from: &told)
      if case .finished = end, sink.frames == 0, !feed.mayBeEmpty { end = .fatal(Self.noFrames) }
    } catch {
      end = stop.isRequested ? .interrupted : .fatal(error)
    }
    do throws(OutputFile.Failure) {
      let isWhole = if case .finished = end { sink.frames < limit ?? .max } else { false }
      try sink.finish(hasFailed: end.isFatal, isWhole: isWhole)
    } catch {
      // The error that ended the run takes precedence.
      if case .fatal = end {} else { end = RunEnd(error) }
    }
    console.endProgress()
    switch end {
    case .closedPipe: return 0
    case .finished, .interrupted:
      sink.summary(to: console, elapsed: ContinuousClock.now - start)
      if case .interrupted = end { return ExitCodes.interrupted }
      return 0
    case .fatal(let error):
      console.error(RecordSink.line(error))
      if sink.frames > 0 { sink.summary(to: console, elapsed: ContinuousClock.now - start) }
      return CommandFailure.code(of: error)
    }
  }

  private static let noFrames = FoveaError(
    FoveaCode(VideoCode.empty), "no frame of the source could be decoded",
    remedy: "Check the source with another player")

  private func frames(of feed: inout any FrameFeed, told: inout Int) async -> RunEnd {
    do throws(FoveaError) {
      while sink.frames < limit ?? .max {
        guard !stop.isRequested else { return .interrupted }
        guard let frame = try await feed.next() else { break }
        let state = feed.state
        tell(state, from: &told)
        do throws(OutputFile.Failure) { try sink.accept(frame, state: state) } catch { return RunEnd(error) }
      }
    } catch {
      return stop.isRequested ? .interrupted : .fatal(error)
    }
    return stop.isRequested ? .interrupted : .finished
  }

  /// Prints the source's new warnings.
  private func tell(_ state: SourceState, from told: inout Int) {
    while told < state.warnings.count {
      console.note(state.warnings[told] + ".")
      told += 1
    }
  }
}
