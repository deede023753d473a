// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime
import FoveaTesting
import Testing

/// Damaged models through `Model` and `Session`: rejected or run, never a crash.
@Suite(.serialized) struct RuntimeFuzzTests {
  @Test func `a damaged model is rejected or runs in a session`() async throws {
    var report = try FuzzReport("runtime")
    while let batch = report.batch {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        [batch = batch as FuzzBatch] in
        await DoorFuzz.run("runtime", batch) { bytes in
          do throws(RuntimeError) {
            let model = try Model(bytes: bytes, name: "damaged")
            for signature in model.signatures.indices {
              let session = try Session(model: model, signature: signature)
              try session.run()
            }
            return "ok"
          } catch {
            guard error.message.contains("damaged"), !error.remedy.description.isEmpty else {
              throw FuzzFailure("an error without model or remedy: \(error)")
            }
            return error.code.description
          }
        }
      }
      report.take(result?.standardOutputContent, of: batch)
    }
    print(report)
    for failure in report.failures { Issue.record("\(failure)") }
  }
}
