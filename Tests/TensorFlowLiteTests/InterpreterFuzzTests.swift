// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting
import TensorFlowLite
import Testing

/// Damaged models through Google's interpreter: rejected or run, never a crash.
@Suite(.serialized) struct InterpreterFuzzTests {
  @Test func `a damaged model is rejected or runs in an interpreter`() async throws {
    var report = try FuzzReport("interpreter")
    while let batch = report.batch {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        [batch = batch as FuzzBatch] in
        await DoorFuzz.run("interpreter", batch) { bytes in
          do {
            let interpreter = try Interpreter(modelData: Data(bytes))
            try interpreter.allocateTensors()
            try interpreter.invoke()
            for index in 0..<interpreter.outputTensorCount { _ = try interpreter.output(at: index) }
            for key in interpreter.signatureKeys { _ = try interpreter.signatureRunner(with: key) }
            return "ok"
          } catch let error as InterpreterError {
            return "\(error)".prefix { $0 != "(" }.description.replacing(" ", with: "-")
          } catch let error as SignatureRunnerError {
            return "\(error)".prefix { $0 != "(" }.description.replacing(" ", with: "-")
          }
        }
      }
      report.take(result?.standardOutputContent, of: batch)
    }
    print(report)
    for failure in report.failures { Issue.record("\(failure)") }
  }
}
