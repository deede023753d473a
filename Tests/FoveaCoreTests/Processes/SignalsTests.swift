// SPDX-License-Identifier: Apache-2.0
import FoveaCore
import Testing

@Suite struct SignalsTests {
  @Test func `a blocked signal does not end the process`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      Signals.hold()
      raise(SIGTERM)
      _exit(7)
    }
  }

  @Test func `a blocked signal arrives when it is unblocked`() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      Signals.hold()
      raise(SIGTERM)
      Signals.release()
      _exit(7)
    }
  }
}
