// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaHTTP
import FoveaCore
import Tracing

/// The spans of an image, for programs with a tracer: the wait for a slot, decoding, and the model.
enum StageSpans {
  /// Adds the spans of an image that has just been processed; each stage starts when the previous one ends.
  static func add(waited: Duration, _ timings: StageTimings) {
    guard !(InstrumentationSystem.tracer is NoOpTracer), let context = InstrumentationContext.current else {
      return
    }
    let now = DefaultTracerClock.now.nanosecondsSinceEpoch
    let stages: [(name: String, time: Duration)] = [
      ("queue", waited), ("decode", timings.decode), ("prepare", timings.prepare),
      ("run", timings.detect + timings.classify),
    ]
    var time = stages.reduce(now) { $0 - min($0, nanoseconds($1.time)) }
    for stage in stages {
      let end = time + nanoseconds(stage.time)
      let span = startSpan(
        stage.name, at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: time), context: context)
      span.end(at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: end))
      time = end
    }
  }

  private static func nanoseconds(_ time: Duration) -> UInt64 { UInt64(max(0, time.seconds * 1e9)) }
}
#endif
