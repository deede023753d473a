// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import Testing

@Suite struct ConfigBoardTests {
  @Test func `a client that has its share of the streams leaves the rest to others`() throws {
    let board = ConfigBoard()
    let share = ConfigBoard.mostOfOneClient
    let ids = (0..<share).compactMap { _ in board.changes(for: "a")?.id }
    #expect(ids.count == share && share < ConfigBoard.mostWaiting)
    #expect(board.changes(for: "a") == nil)
    let other = try #require(board.changes(for: "b"))
    #expect(board.waiting == share + 1)
    // A place that is left twice is free once.
    for _ in 0..<2 { board.leave(ids[0]) }
    #expect(board.waiting == share)
    #expect(board.changes(for: "a") != nil)
    #expect(board.changes(for: "a") == nil)
    board.leave(other.id)
    board.end()
    #expect(board.waiting == 0)
  }

  @Test func `all clients together have a limit`() {
    let board = ConfigBoard()
    let clients = ConfigBoard.mostWaiting / ConfigBoard.mostOfOneClient
    for client in 0..<clients {
      for _ in 0..<ConfigBoard.mostOfOneClient { _ = board.changes(for: "\(client)") }
    }
    #expect(board.waiting == ConfigBoard.mostWaiting)
    #expect(board.changes(for: "another") == nil)
  }
}
#endif
