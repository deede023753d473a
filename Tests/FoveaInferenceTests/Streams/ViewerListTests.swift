// SPDX-License-Identifier: Apache-2.0
#if Server
import Testing

@testable import FoveaInference

@Suite struct ViewerListTests {
  @Test func `a viewer leaves by its number, which no other viewer gets`() async {
    var list = ViewerList()
    let viewers = (0..<3).map { _ in StreamViewer(.lines) }
    let ids = viewers.map { list.add($0) }
    #expect(Set(ids).count == 3 && list.count == 3 && !list.isEmpty)
    list.remove(ids[1])
    list.remove(ids[1])
    list.remove(99)
    #expect(list.count == 2 && list.all.allSatisfy { $0 !== viewers[1] })
    #expect(await viewers[1].next() == nil)
    #expect(!ids.contains(list.add(StreamViewer(.messages))))
    #expect(list.all.filter { $0.need == .messages }.count == 1)
  }

  @Test func `a list that has ended has no viewers, and later ones end at once`() async {
    var list = ViewerList()
    let early = StreamViewer(.lines)
    _ = list.add(early)
    #expect(list.removeAll().count == 1 && list.isEmpty && !list.isOver)
    _ = list.add(early)
    #expect(list.end().first === early && list.isEmpty && list.isOver)
    early.put(.tick)
    #expect(await early.next() != nil, "its owner ends it")
    let late = StreamViewer(.lines)
    _ = list.add(late)
    #expect(list.isEmpty && list.end().isEmpty)
    #expect(await late.next() == nil)
  }
}
#endif
