// SPDX-License-Identifier: Apache-2.0
import FoveaSystem
import Testing

@Suite struct HeldSignalsTests {
  @Test func `a signal that is held does not end the process`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      HeldSignals.hold()
      raise(SIGTERM)
      _exit(7)
    }
  }

  @Test func `a signal that was held comes when it is released`() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      HeldSignals.hold()
      raise(SIGTERM)
      HeldSignals.release()
      _exit(7)
    }
  }
}
