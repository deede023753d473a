// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaTesting
import Testing

/// Damaged bodies of each protocol: answered, or rejected as the caller's error.
///
/// `FOVEA_FUZZ_RUNS=100000 swift test --filter RequestFuzzTests` for the long run.
@Suite(.serialized) struct RequestFuzzTests {
  @Test(arguments: RequestFuzz.Kind.allCases)
  func `an undamaged body is answered`(_ kind: RequestFuzz.Kind) async throws {
    #expect(try await RequestFuzz.soundStatus(kind) == "200")
  }

  @Test(arguments: FuzzBatch.kinds(RequestFuzz.Kind.self))
  func `damaged bodies give responses or errors of the caller`(_ kind: RequestFuzz.Kind) async throws {
    var report = try FuzzReport(kind.rawValue)
    while let batch = report.batch {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        [kind = kind as RequestFuzz.Kind, batch = batch as FuzzBatch] in
        await RequestFuzz.run(kind, batch)
      }
      report.take(result?.standardOutputContent, of: batch)
    }
    print(report)
    for failure in report.failures { Issue.record("\(failure)") }
  }
}
#endif
