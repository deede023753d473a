// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Testing

@Suite struct MailboxTests {
  struct Room: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// nil for an unlimited number.
    let newest: Int?
    let dropped: [Int]
    let taken: [Int]
  }

  static let rooms = [
    Room(testDescription: "for all", newest: nil, dropped: [], taken: [1, 2, 3]),
    Room(testDescription: "for one", newest: 1, dropped: [1, 2], taken: [3]),
    Room(testDescription: "for two", newest: 2, dropped: [1], taken: [2, 3]),
  ]

  @Test(arguments: rooms)
  func `a newer value replaces the oldest if the mailbox is full, and none is added after the end`(
    row: Room
  ) async {
    let mailbox = row.newest.map { Mailbox<Int>(.bufferingNewest($0)) } ?? Mailbox<Int>()
    var dropped: [Int] = []
    for value in 1...3 {
      if case .dropped(let old) = mailbox.put(value) { dropped.append(old) }
    }
    #expect(dropped == row.dropped)
    mailbox.finish()
    mailbox.put(4)
    var taken: [Int] = []
    while let value = await mailbox.take() { taken.append(value) }
    #expect(taken == row.taken)
  }

  @Test func `a cancelled reader stops waiting`() async {
    let mailbox = Mailbox<Int>()
    let reader = Task { await mailbox.take() }
    reader.cancel()
    #expect(await reader.value == nil)
  }
}
