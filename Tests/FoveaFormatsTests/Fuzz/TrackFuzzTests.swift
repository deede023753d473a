// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

/// Damaged MOT and KITTI files: finite figures or an error with reason and remedy.
///
/// `FOVEA_FUZZ_RUNS=100000 swift test --filter TrackFuzzTests` for the long run.
@Suite(.serialized) struct TrackFuzzTests {
  @Test(arguments: FuzzBatch.kinds(TrackFuzz.Kind.self))
  func `damaged files give figures or an error`(_ kind: TrackFuzz.Kind) async throws {
    var report = try FuzzReport(kind.rawValue)
    while let batch = report.batch {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        [kind = kind as TrackFuzz.Kind, batch = batch as FuzzBatch] in
        await TrackFuzz.run(kind, batch)
      }
      report.take(result?.standardOutputContent, of: batch)
    }
    print(report)
    for failure in report.failures { Issue.record("\(failure)") }
  }
}
