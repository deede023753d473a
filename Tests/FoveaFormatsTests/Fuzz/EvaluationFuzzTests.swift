// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

/// Damaged ground truth and results: figures or an error with reason and remedy.
///
/// `FOVEA_FUZZ_RUNS=100000 swift test --filter EvaluationFuzzTests` for the long run.
@Suite(.serialized) struct EvaluationFuzzTests {
  @Test(arguments: FuzzBatch.kinds(EvaluationFuzz.Kind.self))
  func `damaged files give figures or an error`(_ kind: EvaluationFuzz.Kind) async throws {
    var report = try FuzzReport(kind.rawValue)
    while let batch = report.batch {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        [kind = kind as EvaluationFuzz.Kind, batch = batch as FuzzBatch] in
        await EvaluationFuzz.run(kind, batch)
      }
      report.take(result?.standardOutputContent, of: batch)
    }
    print(report)
    for failure in report.failures { Issue.record("\(failure)") }
  }
}
