// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import FoveaVideo
import Testing

/// Damaged videos: an error that names file, reason and remedy, or frames with rising times; never a crash,
/// more than 5 s or more than 1 GiB, and nothing on standard error.
///
/// A few hundred in all by default; `FOVEA_FUZZ_RUNS=20000 swift test --filter VideoFuzzTests` for the long run.
@Suite(.serialized, .enabled(if: VideoLibrary.isPresent, "needs FFmpeg's libraries"))
struct VideoFuzzTests {
  @Test(
    "A damaged video is rejected or read, and does no harm", arguments: FuzzBatch.kinds(VideoFuzz.Kind.self))
  func damaged(_ kind: VideoFuzz.Kind) async throws {
    var report = try FuzzReport(kind.rawValue, runs: 100)
    while let batch = report.batch {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        [kind = kind as VideoFuzz.Kind, batch = batch as FuzzBatch] in
        await VideoFuzz.run(kind, batch)
      }
      report.take(result?.standardOutputContent, of: batch)
    }
    let text = report.description
    print(text)
    #expect(!text.contains(" wrong") && !text.contains("endless") && !text.contains("no reason"))
    #expect(!text.contains("prints"))
    for failure in report.failures { Issue.record("\(failure)") }
  }
}
