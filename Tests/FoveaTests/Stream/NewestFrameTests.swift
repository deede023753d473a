// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Fovea

/// The storage of one frame.
@Suite struct NewestFrameTests {
  @Test func `a newer frame replaces the waiting one, and each is counted`() async throws {
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

  @Test func `the frame waiting at the end is returned, and none is accepted after it`() async throws {
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

  @Test func `an end before the first frame releases the reader`() async {
    let newest = NewestFrame()
    let reader = Task { await newest.take() }
    newest.finish()
    #expect(await reader.value == nil)
  }
}
