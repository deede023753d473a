// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Fovea

/// The room for one frame.
@Suite struct NewestFrameTests {
  @Test func `a newer frame replaces the one that waits, and each is counted`() async throws {
    let newest = NewestFrame()
    for number in 1...5 { #expect(newest.put(try Scripted.smallFrame(number))) }
    #expect(newest.counts.submitted == 5)
    #expect(newest.counts.dropped == 4)
    #expect(await newest.take()?.number == 5)
    newest.put(try Scripted.smallFrame(6))
    #expect(await newest.take()?.number == 6)
    #expect(newest.counts.submitted == 6)
    #expect(newest.counts.dropped == 4)
  }

  @Test func `the frame that waits at the end is given out, and none is let in after it`() async throws {
    let newest = NewestFrame()
    newest.put(try Scripted.smallFrame(1))
    newest.finish()
    newest.finish()
    #expect(!newest.put(try Scripted.smallFrame(2)))
    #expect(newest.counts.submitted == 1)
    #expect(newest.counts.dropped == 0)
    #expect(await newest.take()?.number == 1)
    #expect(await newest.take() == nil)
  }

  @Test func `an end before the first frame lets the reader go`() async {
    let newest = NewestFrame()
    let reader = Task { await newest.take() }
    newest.finish()
    #expect(await reader.value == nil)
  }
}
