// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

/// Damaged models: an error that names file, reason and remedy, or a result; never a crash, more than 5 s or
/// more than 1 GiB.
///
/// A few hundred each by default; `FOVEA_FUZZ_RUNS=20000 swift test --filter ModelFuzzTests` for the long
/// run. Each thousand has its own process; a crash is reported with its seed, and the next seed continues.
@Suite(.serialized) struct ModelFuzzTests {
  @Test(arguments: FuzzBatch.kinds(ModelFuzz.Kind.self))
  func `a damaged model is rejected or gives a result, and does no harm`(_ kind: ModelFuzz.Kind) async throws
  {
    var report = try FuzzReport(kind.rawValue, share: kind.cost)
    while let batch = report.batch {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        [kind = kind as ModelFuzz.Kind, batch = batch as FuzzBatch] in
        await ModelFuzz.run(kind, batch)
      }
      report.take(result?.standardOutputContent, of: batch)
    }
    print(report)
    for failure in report.failures { Issue.record("\(failure)") }
  }
}
