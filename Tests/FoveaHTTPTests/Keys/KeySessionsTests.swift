// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import Testing

@Suite struct KeySessionsTests {
  /// Keys that start one session each, one per second, and those that stay open.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let keys: [String]
    let goOn: [Bool]
  }

  static let rows = [
    Row(testDescription: "none", keys: [], goOn: []),
    Row(testDescription: "one", keys: ["a"], goOn: [true]),
    Row(testDescription: "a share", keys: ["a", "a"], goOn: [true, true]),
    Row(
      testDescription: "more than a share", keys: ["b", "a", "a", "a"], goOn: [true, false, true, true]),
    Row(
      testDescription: "a key that signs in again and again", keys: ["b", "a", "a", "a", "a", "a"],
      goOn: [true, false, false, false, true, true]),
    Row(testDescription: "all places", keys: ["b", "a", "a", "c"], goOn: [true, true, true, true]),
    Row(
      testDescription: "more than all places", keys: ["b", "a", "a", "c", "d"],
      goOn: [true, false, true, true, true]),
    Row(
      testDescription: "more than all places, one of a key", keys: ["b", "a", "c", "d", "e"],
      goOn: [false, true, true, true, true]),
    Row(
      testDescription: "a share, and all places", keys: ["b", "b", "a", "a", "a"],
      goOn: [true, true, false, true, true]),
  ]

  @Test(arguments: rows)
  func `sessions are bounded, and a client that starts many takes none of others`(row: Row) {
    let sessions = KeySessions(seconds: 60, mostOfKey: 2, most: 4)
    let ids = row.keys.enumerated().map { sessions.begin(with: $0.element, now: Double($0.offset)) }
    #expect(ids.map { sessions.session($0, now: 10) != nil } == row.goOn)
    #expect(Set(ids).count == row.keys.count)
  }

  @Test func `a hundred sessions of a key leave those of another`() {
    let sessions = KeySessions(seconds: 60, most: 1_000)
    let other = sessions.begin(with: "admin", now: 0)
    let ids = (0..<1_100).map { _ in sessions.begin(with: "viewer", now: 1) }
    #expect(sessions.session(other, now: 1)?.key == "admin")
    #expect(ids.count { sessions.session($0, now: 1) != nil } == 100)
  }

  @Test func `a session ends with its time, and with its key`() {
    let sessions = KeySessions(seconds: 60)
    let ids = ["a", "b", "c"].map { sessions.begin(with: $0, now: 0) }
    #expect(ids.map { sessions.session($0, now: 59.9)?.key } == ["a", "b", "c"])
    sessions.keep(["b", "c"])
    sessions.end(ids[2])
    #expect(ids.map { sessions.session($0, now: 59.9)?.key } == [nil, "b", nil])
    #expect(ids.map { sessions.session($0, now: 60)?.key } == [nil, nil, nil])
    // An expired session takes no place.
    let next = KeySessions(seconds: 60, most: 1)
    let late = [0.0, 60].map { next.begin(with: "a", now: $0) }
    #expect(late.map { next.session($0, now: 60) != nil } == [false, true])
  }

  @Test func `a session's number is not its cookie, and a part of the cookie names no session`() throws {
    let sessions = KeySessions(seconds: 60)
    let id = sessions.begin(with: "a", now: 0)
    let session = try #require(sessions.session(id, now: 0))
    #expect(id.utf8.count == 64 && session.number.utf8.count == 32)
    for wrong in ["", "a", session.number, id + "0", String(id.dropLast())] {
      #expect(sessions.session(wrong, now: 0) == nil)
    }
  }
}
#endif
