// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import HTTPTypes
import Testing

@testable import FoveaInference

@Suite struct MemoryBudgetTests {
  /// Bytes that a client requests, and the code of the rejection; nil if it is granted.
  struct Step: Sendable {
    let client: String
    let bytes: Int
    var portion: Int?
    var code: String?
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let steps: [Step]
    var testDescription: String { name }
  }

  static let rows = [
    Row(
      name: "one client has its portion, whatever it announces, and another gets the same",
      steps: [
        Step(client: "a", bytes: 10), Step(client: "a", bytes: 10),
        Step(client: "a", bytes: 1, code: "share-used"),
        Step(client: "b", bytes: 20), Step(client: "a", bytes: 1, code: "share-used"),
      ]),
    Row(
      name: "one request of a client always fits into its portion",
      steps: [
        Step(client: "a", bytes: 90), Step(client: "a", bytes: 1, code: "share-used"),
        Step(client: "b", bytes: 10),
        Step(client: "c", bytes: 1, code: "server-busy"),
      ]),
    Row(name: "one request of all always fits", steps: [Step(client: "a", bytes: 200)]),
    Row(
      name: "all together have no more than there is",
      steps: (0..<5).map { Step(client: "\($0)", bytes: 20) } + [
        Step(client: "f", bytes: 1, code: "server-busy")
      ]),
    Row(
      name: "an unknown caller has less",
      steps: [
        Step(client: "a", bytes: 2, portion: 4),
        Step(client: "a", bytes: 3, portion: 4, code: "share-used"),
        Step(client: "a", bytes: 2, portion: 4), Step(client: "b", bytes: 20),
      ]),
  ]

  @Test(arguments: rows)
  func `each client has its share of the memory`(row: Row) throws {
    let budget = MemoryBudget(limit: 100, portion: 20, problem: "Busy")
    var shares: [MemoryBudget.Share] = []
    var sum = 0
    for step in row.steps {
      let share = budget.share(for: step.client, portion: step.portion)
      do throws(Refusal) {
        try share.check(step.bytes)
        try share.grow(by: step.bytes)
        #expect(step.code == nil, "\(step)")
        sum += step.bytes
      } catch {
        #expect(error.code == step.code && error.status.code == (step.code == "share-used" ? 429 : 503))
        #expect(error.headers[.retryAfter] == "1")
      }
      shares.append(share)
      #expect(budget.reserved == sum)
    }
    shares = []
    #expect(budget.reserved == 0 && budget.reserved(by: "a") == 0)
  }

  @Test func `a caller's memory counts for its key as soon as the key is known`() throws {
    let budget = MemoryBudget(limit: 100, portion: 20, problem: "Busy")
    let share = budget.share(for: "192.0.2.1", portion: 4)
    try share.grow(by: 4)
    let next = budget.share(for: "192.0.2.1", portion: 4)
    #expect(throws: Refusal.self) { try next.grow(by: 1) }
    share.move(to: "key a")
    #expect(
      budget.reserved(by: "192.0.2.1") == 0 && budget.reserved(by: "key a") == 4 && budget.reserved == 4)
    try next.grow(by: 1)
    try share.grow(by: 16)
    #expect(budget.reserved == 21)
  }
}
#endif
