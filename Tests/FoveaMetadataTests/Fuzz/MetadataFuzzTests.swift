// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

/// Damaged metadata, archives, graphs, labels and manifests: a value or an error with reason and remedy.
///
/// `FOVEA_FUZZ_RUNS=100000 swift test --filter MetadataFuzzTests` for the long run.
@Suite(.serialized) struct MetadataFuzzTests {
  @Test(arguments: FuzzBatch.kinds(MetadataFuzz.Kind.self))
  func `damaged input gives a value or an error`(_ kind: MetadataFuzz.Kind) async throws {
    var report = try FuzzReport(kind.rawValue, runs: kind == .head ? 1000 : 300)
    while let batch = report.batch {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        [kind = kind as MetadataFuzz.Kind, batch = batch as FuzzBatch] in
        await MetadataFuzz.run(kind, batch)
      }
      report.take(result?.standardOutputContent, of: batch)
    }
    print(report)
    for failure in report.failures { Issue.record("\(failure)") }
  }
}
