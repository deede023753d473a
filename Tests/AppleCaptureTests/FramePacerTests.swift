// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import AppleCapture

@Suite(.onOwnThread) struct FramePacerTests {
  @Test func `frames that are due, late or unpaced do not wait`() {
    let pacer = FramePacer(.realTime)
    pacer.wait(for: 1000)
    pacer.wait(for: 1000)
    pacer.wait(for: 3)
    FramePacer(.asFastAsPossible).wait(for: 1e9)
  }

  @Test(.timeLimit(.minutes(10))) func `stopping ends the wait for a frame in the far future`() {
    let pacer = FramePacer(.realTime)
    pacer.wait(for: 0)
    pacer.stop()
    pacer.wait(for: 86_400)
  }

  @Test func `a frame waits until its time`() {
    let pacer = FramePacer(.realTime)
    pacer.wait(for: 0)
    let start = ContinuousClock.now
    pacer.wait(for: 0.05)
    #expect(start.duration(to: .now) > .milliseconds(30))
  }
}
