// SPDX-License-Identifier: Apache-2.0
#if Server
import Testing

@testable import FoveaInference

@Suite struct StreamViewerTests {
  private static func number(_ event: StreamViewer.Event?) -> Int? {
    if case .frame(let frame) = event { frame.number } else { nil }
  }

  private static func frame(_ number: Int) -> StreamViewer.Event {
    .frame(StreamFrame(number: number, line: StreamFrame.message("", []), message: nil, annotated: nil))
  }

  @Test func `a viewer that does not read keeps only the newest frame`() async {
    let viewer = StreamViewer(.lines)
    #expect((1...3).map { viewer.put(Self.frame($0)) } == [false, true, true])
    let newest = await viewer.next()
    #expect(Self.number(newest) == 3)
    #expect(!viewer.put(Self.frame(4)))
    viewer.end()
    let last = await viewer.next()
    #expect(Self.number(last) == 4)
    let isOver = await viewer.next() == nil
    #expect(isOver)
    #expect(!viewer.put(Self.frame(5)))
  }

  @Test func `the end replaces a frame, and a tick that is replaced is not a frame`() async {
    let viewer = StreamViewer(.annotated)
    #expect(!viewer.put(.tick) && !viewer.put(Self.frame(1)) && viewer.put(.end(StreamStatus())))
    viewer.end()
    guard case .end = await viewer.next() else {
      Issue.record("the end is lost")
      return
    }
    let isOver = await viewer.next() == nil
    #expect(isOver)
  }

  @Test func `numbers and times of a source rise, however often it restarts`() {
    var clock = StreamClock()
    clock.restart(step: 0.1)
    let first = clock.position(7, 0.5)
    clock.restart(step: 0.25)
    let second = clock.position(1, 0)
    clock.restart(step: nil)
    let third = clock.position(1, 0)
    #expect([first.number, second.number, third.number] == [7, 8, 9])
    #expect([first.seconds, second.seconds] == [0.5, 0.75] && third.seconds >= 0.75)
  }
}
#endif
