// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaHTTP
import FoveaTesting
import Testing

@testable import FoveaInference

@Suite struct EventOutputTests {
  private static let file = "events/cursor-hook.json"

  /// Files of three messages, and the newest two in memory.
  private static func options(_ folder: TemporaryFolder) -> EventOptions {
    var options = EventOptions(folder: folder["events"])
    options.segmentSize = 1_600
    options.recent = 2
    return options
  }

  /// Opens a journal again: the thread that read its files last may still hold the former one.
  private static func reopened(_ folder: TemporaryFolder) async throws -> EventJournal {
    for _ in 0..<500 {
      if let journal = try? EventScene.journal(options(folder)) { return journal }
      try await Task.sleep(for: .milliseconds(10))
    }
    return try EventScene.journal(options(folder))
  }

  private static func write(_ walks: Int, to journal: EventJournal?) throws {
    for _ in 0..<walks { journal?.append(try EventScene.messages(), of: "gate") }
  }

  /// Returns the numbers of the messages that a receiver gets until it has `last`, each passed.
  private static func numbers(_ output: EventOutput, to last: Int, passes: Bool = true) async -> [Int] {
    var numbers: [Int] = []
    while numbers.last ?? 0 < last, let messages = await output.next() {
      for message in messages {
        numbers.append(message.number)
        if passes { await output.pass(message, as: .sent) }
      }
    }
    return numbers
  }

  @Test func `a new receiver gets further messages, and goes on after a restart`() async throws {
    let folder = try TemporaryFolder()
    var journal: EventJournal? = try EventScene.journal(Self.options(folder))
    try Self.write(1, to: journal)
    var output: EventOutput? = try EventOutput("hook", of: #require(journal))
    // At once, so that a server killed here goes on with the next message.
    #expect(try folder.read(Self.file) == "{\"number\": 4, \"time\": null}\n")
    #expect(FileStatus(FilePath(folder[Self.file]))?.permissions == 0o600)
    try Self.write(2, to: journal)
    #expect(try await Self.numbers(#require(output), to: 12) == Array(5...12))
    #expect(try folder.read(Self.file).contains("\"number\": 4,"))
    journal?.sync()
    #expect(try folder.read(Self.file).hasPrefix("{\"number\": 12, \"time\": \"2026-11-26T11:53:5"))
    (journal, output) = (nil, nil)
    journal = try await Self.reopened(folder)
    try Self.write(1, to: journal)
    output = try EventOutput("hook", of: #require(journal))
    #expect(try await Self.numbers(#require(output), to: 16) == Array(13...16))
  }

  @Test func `messages that a killed server did not pass come again, in order`() async throws {
    let folder = try TemporaryFolder()
    var journal: EventJournal? = try EventScene.journal(Self.options(folder))
    var output: EventOutput? = try EventOutput("hook", of: #require(journal))
    try Self.write(30, to: journal)
    // Nothing is synced, as if the server was killed within a second.
    #expect(try await Self.numbers(#require(output), to: 120) == Array(1...120))
    (journal, output) = (nil, nil)
    journal = try await Self.reopened(folder)
    output = try EventOutput("hook", of: #require(journal))
    let again = try await Self.numbers(#require(output), to: 120)
    #expect(again == Array(81...120) && again.count <= 100)
  }

  /// A file, and the numbers that are delivered of 1 to 8.
  @Test(
    arguments: [
      ("", 1), ("{", 1), ("{\"number\": ", 1), ("\u{0}\u{0}", 1), ("{}", 1), ("[3]", 1),
      ("{\"number\": -1}", 1), ("{\"number\": 1.5}", 1), ("{\"number\": \"3\"}", 1),
      ("{\"number\": 99999999999999999999}", 1), ("{\"number\": 0}", 1), ("{\"number\": 3}", 4),
      ("{\"number\": 3, \"time\": \"yesterday\"}", 4), ("{\"number\": 7, \"time\": null}", 8),
      // The journal has lost its last second.
      ("{\"number\": 8}", 9), ("{\"number\": 4000}", 9),
    ] as [(String, Int)])
  func `a file has the place, and a damaged one starts with the oldest message`(
    _ text: String, _ first: Int
  ) async throws {
    let folder = try TemporaryFolder()
    let journal = try EventScene.journal(Self.options(folder))
    try Self.write(2, to: journal)
    try folder.write(Self.file, text)
    let output = EventOutput("hook", of: journal)
    try Self.write(1, to: journal)
    #expect(await Self.numbers(output, to: 12) == Array(first...12))
  }

  @Test func `a file that was written only in part next to the place changes nothing`() async throws {
    let folder = try TemporaryFolder()
    let journal = try EventScene.journal(Self.options(folder))
    try Self.write(1, to: journal)
    try folder.write(Self.file, "{\"number\": 2, \"time\": null}\n")
    try folder.write(Self.file + PartialPath.ending, "{\"num")
    let output = EventOutput("hook", of: journal)
    #expect(await Self.numbers(output, to: 4) == [3, 4])
    journal.sync()
    #expect(try folder.read(Self.file).hasPrefix("{\"number\": 4,"))
  }

  @Test func `a place before the oldest file goes on there, and the rest is counted as lost`() async throws {
    let folder = try TemporaryFolder()
    let metrics = Metrics()
    var options = Self.options(folder)
    options.limit = 4_000
    let journal = try EventScene.journal(options, metrics)
    let output = EventOutput("hook", of: journal)
    journal.describeOutputs()
    #expect(metrics.text().contains("\nfovea_output_lost_total{output=\"hook\"} 0\n"))
    #expect(metrics.text().contains("\nfovea_output_sent_total{output=\"hook\"} 0\n"))
    try Self.write(6, to: journal)
    let oldest = journal.oldest
    #expect(oldest > 4)
    #expect(await Self.numbers(output, to: 24) == Array(oldest...24))
    let text = metrics.text()
    #expect(text.contains("fovea_output_lost_total{output=\"hook\"} \(oldest - 1)\n"))
    #expect(text.contains("fovea_output_sent_total{output=\"hook\"} \(25 - oldest)\n"))
  }

  @Test func `files that are removed while they are read hide no later ones`() async throws {
    let folder = try TemporaryFolder()
    let journal = try EventScene.journal(Self.options(folder))
    let output = EventOutput("hook", of: journal)
    try Self.write(4, to: journal)
    let first = try #require(await output.next()).map(\.number)
    for segment in journal.content.segments.prefix(2) {
      try #require(unsafe unlink(folder["events/" + EventSegment.name(segment.first)]) == 0)
    }
    let rest = await Self.numbers(output, to: 16, passes: false)
    #expect(first.first == 1 && rest == rest.sorted() && rest.last == 16)
  }

  @Test func `a full disk hides no message from a receiver`() async throws {
    let folder = try TemporaryFolder()
    let disk = FullDisk()
    var options = Self.options(folder)
    options.recent = 10
    options.write = { disk.write($0, $1) }
    let journal = try EventScene.journal(options)
    let output = EventOutput("hook", of: journal)
    for isFull in [false, true, false] {
      disk.fill(isFull)
      try Self.write(1, to: journal)
    }
    #expect(await Self.numbers(output, to: 12) == Array(1...12))
  }

  @Test func `without a folder a receiver reads memory, and nothing is written`() async throws {
    let folder = try TemporaryFolder()
    let metrics = Metrics()
    var options = EventOptions()
    options.recent = 5
    let journal = try EventScene.journal(options, metrics)
    let output = EventOutput("hook", of: journal)
    try Self.write(1, to: journal)
    #expect(await Self.numbers(output, to: 4) == [1, 2, 3, 4])
    try Self.write(2, to: journal)
    #expect(await Self.numbers(output, to: 12) == Array(8...12))
    journal.sync()
    journal.prune()
    #expect(metrics.text().contains("fovea_output_lost_total{output=\"hook\"} 3\n"))
    #expect(!metrics.text().contains("fovea_events_unkept_total"))
    #expect(try folder.names().isEmpty)
  }

  @Test func `the lag is the age of the oldest message that a receiver lacks`() async throws {
    let folder = try TemporaryFolder()
    let metrics = Metrics()
    var options = Self.options(folder)
    options.recent = 4
    let journal = try EventScene.journal(options, metrics)
    let output = EventOutput("hook", of: journal)
    journal.describeOutputs()
    #expect(metrics.text().contains("fovea_output_lag_seconds{output=\"hook\"} 0\n"))
    try Self.write(1, to: journal)
    let messages = try #require(await output.next())
    await output.pass(messages[2], as: .unwanted)
    let moment = try #require(messages[3].moment)
    #expect(journal.lag(of: output.cursor, at: moment + 1_500) == 1.5)
    // The clock was set back.
    #expect(journal.lag(of: output.cursor, at: moment - 1_500) == 0)
    await output.pass(messages[3], as: .lost)
    #expect(journal.lag(of: output.cursor, at: moment + 1_500) == 0)
    // The next one is only in files.
    try Self.write(2, to: journal)
    #expect(journal.lag(of: output.cursor, at: moment + 60_000) == 60)
  }

  @Test func `receivers wait for messages, each for itself, until they are cancelled`() async throws {
    let journal = try EventScene.journal(EventOptions())
    let (fast, slow) = (EventOutput("fast", of: journal), EventOutput("slow", of: journal))
    let messages = try EventScene.messages()
    let reading = Task { await Self.numbers(fast, to: 4) }
    journal.append(messages, of: "gate")
    #expect(await reading.value == [1, 2, 3, 4])
    let waiting = Task { await fast.next()?.map(\.number) }
    waiting.cancel()
    #expect(await waiting.value == nil)
    #expect(await slow.next()?.map(\.number) == [1, 2, 3, 4])
  }
}
#endif
