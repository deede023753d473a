// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import FoveaTesting
import FoveaTracking
import HTTPTypes
import Testing

@testable import FoveaInference

@Suite struct EventPageTests {
  /// A journal of three walks, an hour apart, with numbers to 12.
  ///
  /// The newest three messages are in memory, and there are several files.
  private static func options(_ folder: TemporaryFolder) throws -> EventOptions {
    var options = EventOptions(folder: folder["events"])
    options.segmentSize = 2_000
    options.recent = 3
    return options
  }

  private static func write(_ options: EventOptions) throws -> EventJournal {
    let journal = try EventScene.journal(options)
    for hour: Int64 in 0..<3 {
      let source = hour == 1 ? "door" : "gate"
      journal.append(
        try EventScene.messages(at: EventScene.moment + hour * 3_600_000), of: source)
    }
    return journal
  }

  private static func numbers(_ page: EventPage) throws -> [Int] {
    try EventScene.values("number", page.lines).compactMap { Int($0) }
  }

  /// A query, the numbers of its messages, and the `next`.
  static let queries: [(query: String, numbers: [Int], next: Int?)] = [
    ("", Array((1...12).reversed()), nil), ("limit=12", Array((1...12).reversed()), nil),
    ("limit=5", [12, 11, 10, 9, 8], 8), ("limit=5&before=8", [7, 6, 5, 4, 3], 3),
    ("limit=5&before=3", [2, 1], nil), ("limit=1", [12], 12), ("before=1", [], nil), ("before=0", [], nil),
    ("after=10", [12, 11], nil), ("after=3&before=6", [5, 4], nil), ("after=12", [], nil),
    ("after=9223372036854775807", [], nil), ("before=9223372036854775807&limit=1", [12], 12),
    ("type=end", [12, 8, 4], nil), ("type=end&limit=2", [12, 8], 8), ("type=still", [], nil),
    ("zone=drive", [11, 10, 7, 6, 3, 2], nil), ("zone=", [], nil),
    ("source=door", [8, 7, 6, 5], nil), ("source=door&type=start", [5], nil), ("source=Door", [], nil),
    ("label=person", [], nil), ("label=%22%2C%7D%0A", [], nil), ("source=..%2F..%2Fetc", [], nil),
    ("after=2026-11-26T12:30:00Z", [12, 11, 10, 9, 8, 7, 6, 5], nil),
    ("before=2026-11-26T12:30:00Z", [4, 3, 2, 1], nil),
    ("after=2026-11-26T12:30:00Z&before=2026-11-26T13:30:00Z", [8, 7, 6, 5], nil),
    ("key=secret&limit=1", [12], 12),
  ]

  @Test(arguments: queries)
  func `a query selects messages, in memory and in files`(
    row: (query: String, numbers: [Int], next: Int?)
  ) throws {
    let folder = try TemporaryFolder()
    let options = try Self.options(folder)
    let query = try EventQuery(RequestQuery(row.query))
    var journal: EventJournal? = try Self.write(options)
    for _ in 0..<2 {
      let page = try #require(try journal?.page(query))
      #expect(try Self.numbers(page) == row.numbers && page.next == row.next && page.unreadable == 0)
      // After a restart, nothing is in memory.
      journal = nil
      journal = try EventScene.journal(options)
    }
  }

  @Test(arguments: [
    ("limt=5", "There is no option 'limt'"), ("limit=0", "The option 'limit' is '0'"),
    ("limit=100001", "The option 'limit' is '100001'"), ("limit=ten", "The option 'limit' is 'ten'"),
    ("limit=", "The option 'limit' is ''"), ("type=Start", "The option 'type' is 'Start'"),
    ("type=start,end", "The option 'type' is 'start,end'"), ("after=-1", "The option 'after' is '-1'"),
    ("before=yesterday", "The option 'before' is 'yesterday'"),
    ("before=99999999999999999999", "The option 'before' is '99999999999999999999'"),
    ("source=a&source=b", "The option 'source' is given twice"),
  ])
  func `an invalid query is refused by its parameter`(_ query: String, _ message: String) throws {
    let refusal = #expect(throws: Refusal.self) { try EventQuery(RequestQuery(query)) }
    #expect(refusal?.message == message && refusal?.status == .badRequest)
  }

  @Test func `a request reads a bounded part of the files, and names the rest`() throws {
    let folder = try TemporaryFolder()
    var options = try Self.options(folder)
    options.mostBytes = 1
    let journal = try Self.write(options)
    var query = EventQuery()
    query.type = .start
    var found: [Int] = []
    var pages = 0
    repeat {
      let page = try journal.page(query)
      found += try Self.numbers(page)
      query.before = page.next.map { .number($0) }
      pages += 1
    } while query.before != nil && pages < 20
    #expect(found == [9, 5, 1] && pages > 2 && pages < 20)
  }

  @Test func `the messages about an object are in order`() throws {
    let folder = try TemporaryFolder()
    let journal = try Self.write(Self.options(folder))
    let life = try journal.life("door-20261126T125352.000Z-7")
    #expect(try Self.numbers(life) == [5, 6, 7, 8])
    for id in ["", "door", "door-20261126T125352.000Z-8", "../events", "\u{0}"] {
      #expect(try journal.life(id).lines.isEmpty, "\(id)")
    }
  }

  @Test func `a stream goes on after any number, from files and from memory`() throws {
    let folder = try TemporaryFolder()
    let options = try Self.options(folder)
    var journal: EventJournal? = try Self.write(options)
    for _ in 0..<2 {
      for start in 0...12 {
        let journal = try #require(journal)
        var reader = EventReader(journal, after: start)
        var numbers: [Int] = []
        while true {
          let found = try reader.recent() ?? reader.older()
          guard !found.isEmpty else { break }
          #expect(try EventScene.values("number", found.map(\.text)) == found.map { "\($0.number)" })
          numbers += found.map(\.number)
        }
        #expect(numbers == Array((start + 1)..<13))
      }
      // After a restart, nothing is in memory.
      journal = nil
      journal = try EventScene.journal(options)
    }
  }

  @Test func `lines that are not messages are counted, and hide no others`() throws {
    let folder = try TemporaryFolder()
    let options = try Self.options(folder)
    var journal: EventJournal? = try Self.write(options)
    journal = nil
    let name = "events/events-000000000001.jsonl"
    try folder.write(name, "{\"number\": 1}\nrubbish\n" + folder.read(name))
    journal = try EventScene.journal(options)
    let page = try #require(try journal?.page(EventQuery()))
    #expect(try Self.numbers(page) == Array((1...12).reversed()) && page.unreadable == 2)
  }

  @Test func `a ring keeps the newest lines by number`() {
    var ring = EventRing(capacity: 3, next: 5)
    #expect(ring.first == 5 && ring.next == 5)
    for number in 5..<12 {
      ring.append("\(number)")
      #expect((ring.first..<ring.next).map { ring[$0] } == (max(5, number - 2)...number).map { "\($0)" })
    }
    #expect(ring.first == 9 && ring.next == 12)
  }
}
#endif
