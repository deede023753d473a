// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaHTTP
import FoveaTesting
import Synchronization
import Testing

@testable import FoveaInference

@Suite struct EventJournalTests {
  private static let first = "events/events-000000000001.jsonl"

  private static func options(_ folder: TemporaryFolder) -> EventOptions {
    EventOptions(folder: folder["events"])
  }

  private static func lines(_ text: String) -> [String] { text.split(separator: "\n").map { String($0) } }

  @Test func `a new folder is private, and empty until there is an event`() throws {
    let folder = try TemporaryFolder()
    var journal: EventJournal? = try EventScene.journal(EventOptions(folder: folder["a/events"]))
    #expect(FileStatus(FilePath(folder["a/events"]))?.permissions == 0o700)
    #expect(try folder.read("a/events/events.json") == "{\"format\": \"fovea-events\", \"version\": 1}\n")
    #expect(try journal?.page(EventQuery()).lines == [] && journal?.next == 1)
    journal = nil
    journal = try EventScene.journal(EventOptions(folder: folder["a/events"]))
    journal?.append(try EventScene.messages(), of: "gate")
    let path = folder["a/events/events-000000000001.jsonl"]
    #expect(FileStatus(FilePath(path))?.permissions == 0o600)
  }

  @Test func `numbers go on after a restart, over all sources`() throws {
    let folder = try TemporaryFolder()
    var journal: EventJournal? = try EventScene.journal(Self.options(folder))
    journal?.append(try EventScene.messages(), of: "gate")
    journal?.append(try EventScene.messages(), of: "door")
    journal = nil
    journal = try EventScene.journal(Self.options(folder))
    journal?.append(try EventScene.messages(), of: "gate")
    journal?.sync()
    let lines = Self.lines(try folder.read(Self.first))
    #expect(try EventScene.values("number", lines) == (1...12).map { "\($0)" })
    #expect(try EventScene.values("source", lines[3...4]) == ["gate", "door"])
  }

  @Test(arguments: ["{\"event_type\": \"sta", "garbage\n", "\u{0}\u{0}\u{0}\n\u{0}", "{}\n[]\n"])
  func `text after the last whole message is cut off`(_ rest: String) throws {
    let folder = try TemporaryFolder()
    var journal: EventJournal? = try EventScene.journal(Self.options(folder))
    journal?.append(try EventScene.messages(), of: "gate")
    journal = nil
    let whole = try folder.read(Self.first)
    try folder.write(Self.first, whole + rest)
    journal = try EventScene.journal(Self.options(folder))
    #expect(try folder.read(Self.first) == whole && journal?.next == 5)
    try folder.write("only/events.json", folder.read("events/events.json"))
    try folder.write("only/events-000000000007.jsonl", rest)
    let other = try EventScene.journal(EventOptions(folder: folder["only"]))
    #expect(try folder.read("only/events-000000000007.jsonl").isEmpty && other.next == 7)
  }

  @Test func `an event that a killed server left open ends once at the next start`() throws {
    let folder = try TemporaryFolder()
    var journal: EventJournal? = try EventScene.journal(Self.options(folder))
    journal?.append(Array(try EventScene.messages().prefix(2)), of: "gate")
    for _ in 0..<2 {
      journal = nil
      journal = try EventScene.journal(Self.options(folder))
      let lines = Self.lines(try folder.read(Self.first))
      #expect(try EventScene.values("event_type", lines) == ["start", "entered", "end"])
      #expect(try EventScene.values("number", lines) == ["1", "2", "3"])
      #expect(try EventScene.values("sequence", lines) == ["1", "2", "3"])
      #expect(try EventScene.values("reason", lines[2...]) == ["interrupted"])
      #expect(try EventScene.values("endTime", lines[2...]) == EventScene.values("time", lines[1...1]))
      #expect(Set(try EventScene.values("id", lines)).count == 1 && !lines[2].contains("\"dwell\""))
    }
  }

  @Test func `a line that a full disk has cut does not hide an open event`() throws {
    let folder = try TemporaryFolder()
    var journal: EventJournal? = try EventScene.journal(Self.options(folder))
    journal?.append(Array(try EventScene.messages().prefix(2)), of: "gate")
    journal = nil
    let text = try folder.read(Self.first)
    try folder.write(Self.first, text + text.prefix(200))
    try folder.write("events/events-000000000009.jsonl", "")
    journal = try EventScene.journal(Self.options(folder))
    let lines = Self.lines(try folder.read("events/events-000000000009.jsonl"))
    #expect(try EventScene.values("event_type", lines) == ["end"])
    // The name of the last file tells that the disk has lost six messages, which may be about the object.
    #expect(try EventScene.values("sequence", lines) == ["9"] && journal?.next == 10)
  }

  /// The content of `open.json`, nil for that of the killed server, and whether the start reads the first file.
  @Test(
    arguments: [
      (nil, false), ("", true), ("x", true), ("{}", true),
      (#"{"number": 9, "time": "TIME", "events": [7, {}, {"id": 1}], "counts": []}"#, false),
      (#"{"number": 9, "time": "now", "events": [], "counts": []}"#, true),
      (#"{"number": 9, "time": "TIME", "events": {}, "counts": []}"#, true),
      (#"{"number": 9, "time": "TIME", "events": []}"#, true),
      (#"{"number": 9, "time": "TIME", "events": [], "counts": [{}]}"#, true),
      (#"{"number": 10, "time": "TIME", "events": [], "counts": []}"#, true),
      (#"{"number": 1, "time": "TIME", "events": [], "counts": []}"#, true),
      (#"{"number": 0, "time": "TIME", "events": [], "counts": []}"#, true),
      (#"{"number": 9223372036854775807, "time": "TIME", "events": [], "counts": []}"#, true),
      (#"{"number": 1e3, "time": "TIME", "events": [], "counts": []}"#, true),
    ] as [(String?, Bool)])
  func `a start reads only the files since the last one began, and all if that is unknown`(
    _ open: String?, _ readsAll: Bool
  ) throws {
    let folder = try TemporaryFolder()
    var options = Self.options(folder)
    // A file for each message.
    options.segmentSize = 1
    var journal: EventJournal? = try EventScene.journal(options)
    let start = try EventScene.messages()[0]
    for _ in 0..<2 { journal?.append(try EventScene.messages(), of: "gate") }
    journal?.append([start], of: "door")
    journal = nil
    #expect(try folder.names(in: "events").filter { $0.hasSuffix(".jsonl") }.count == 9)
    try folder.write(Self.first, start.line(number: 1, source: "old"))
    if let open {
      try folder.write("events/open.json", open.replacing("TIME", with: "2026-11-26T10:00:00Z"))
    }
    for count in [1, 0] {
      journal = nil
      journal = try EventScene.journal(options)
      let ring = try #require(journal).ring
      let lines = (ring.first..<ring.next).map { ring[$0] }
      let sources = count > 0 ? (readsAll ? ["old"] : []) + ["door"] : []
      #expect(try EventScene.values("source", lines) == sources, "\(count)")
    }
  }

  /// The files of a folder, and the error.
  @Test(
    arguments: [
      (["a.txt": ""], "The folder 'PATH' has files of another program, such as 'a.txt'"),
      (["events.json": "{}"], "The folder 'PATH' has files of another program, such as 'events.json'"),
      (["events.json": "x"], "The folder 'PATH' has files of another program, such as 'events.json'"),
      (
        ["events-000000000001.jsonl": ""],
        "The folder 'PATH' has files of another program, such as 'events-000000000001.jsonl'"
      ),
      (
        ["events.json": #"{"format": "fovea-events", "version": 2}"#],
        "The folder 'PATH' was written by a newer version of Fovea: its format is 2, this version reads 1"
      ),
    ] as [([String: String], String)])
  func `a folder of another program or a newer version is not used`(
    _ files: [String: String], _ message: String
  ) throws {
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write("events/" + name, text) }
    let expected = message.replacing("PATH", with: folder["events"])
    let opens: [() throws -> Void] = [
      { _ = try EventScene.journal(Self.options(folder)) }, { try Self.options(folder).check() },
    ]
    for open in opens {
      let error = #expect(throws: FoveaError.self) { try open() }
      #expect(error?.message == expected && error?.code.rawValue == "events-unusable")
    }
    #expect(try TemporaryFolder.names(folder["events"]) == files.keys.sorted())
  }

  @Test func `a folder in use, and a path that is not a folder, are errors`() throws {
    let folder = try TemporaryFolder()
    let journal = try EventScene.journal(Self.options(folder))
    let used = #expect(throws: FoveaError.self) { try EventScene.journal(Self.options(folder)) }
    #expect(used?.message == "The folder '\(folder["events"])' is in use by another server")
    // A check changes nothing, and so works next to a running server.
    try Self.options(folder).check()
    try EventOptions(folder: folder["new/events"]).check()
    #expect(!folder.exists("new"))
    try folder.write("file", "")
    for path in ["file", "file/events"] {
      let error = #expect(throws: FoveaError.self) {
        try EventScene.journal(EventOptions(folder: folder[path]))
      }
      #expect(error?.message.contains("cannot be used for events: Not a directory") == true, "\(path)")
    }
    withExtendedLifetime(journal) {}
  }

  /// The size of a file; nil for the usual one, of which a small limit gets a part.
  @Test(arguments: [2_000, nil])
  func `files are limited in size, and the oldest go first`(_ size: Int?) throws {
    let folder = try TemporaryFolder()
    var options = Self.options(folder)
    // Four messages have more than 1,500 bytes, and fewer than 2,000.
    if let size { options.segmentSize = size }
    options.limit = 6_000
    var journal: EventJournal? = try EventScene.journal(options)
    for _ in 0..<6 { journal?.append(try EventScene.messages(), of: "gate") }
    let names = try TemporaryFolder.names(folder["events"]).filter { $0.hasSuffix(".jsonl") }
    #expect(names.count > 1 && !names.contains("events-000000000001.jsonl"))
    let lines = try names.flatMap { Self.lines(try folder.read("events/" + $0)) }
    let numbers = try EventScene.values("number", lines).compactMap { Int($0) }
    #expect(numbers == Array((numbers.first ?? 0)...24))
    #expect(names.first == EventSegment.name(numbers.first ?? 0))
    // Without any time, all files go except a new one, whose name has the next number.
    journal = nil
    options.keep = .zero
    journal = try EventScene.journal(options)
    let left = ["events-000000000025.jsonl", "events.json", "open.json"]
    #expect(try TemporaryFolder.names(folder["events"]) == left && journal?.next == 25)
  }

  /// The hours between two events, and whether the server starts again each hour.
  @Test(arguments: [(1, false), (1, true), (5, false), (5, true), (30, false), (30, true)])
  func `no message is kept longer than asked for, however rare events are`(
    _ hours: Int, _ restarts: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let clock = Atomic<Int>(0)
    let start = EventScene.moment / 1_000
    var options = Self.options(folder)
    options.now = { Double(start) + Double(clock.load(ordering: .relaxed)) }
    // A file has one hour.
    options.keep = .seconds(86_400)
    var journal: EventJournal? = try EventScene.journal(options)
    for hour in 0..<72 {
      clock.store(hour * 3_600, ordering: .relaxed)
      if hour.isMultiple(of: hours) {
        journal?.append(try EventScene.messages(at: (start + Int64(hour) * 3_600) * 1_000), of: "gate")
        let last = try #require(folder.names(in: "events").last { $0.hasSuffix(".jsonl") })
        try setTime(of: folder["events/" + last], to: Int(options.now()))
      }
      if restarts {
        journal = nil
        journal = try EventScene.journal(options)
      } else {
        journal?.prune()
      }
      var query = EventQuery()
      query.limit = 1_000
      let lines = try #require(try journal?.page(query).lines)
      let kept = Set(lines.compactMap { EventLine($0.utf8)?.moment.map { ($0 / 1_000 - start) / 3_600 } })
      let all = stride(from: 0, through: Int64(hour), by: hours)
      #expect(kept.isSuperset(of: all.filter { $0 >= hour - 23 }), "\(hour): \(kept)")
      #expect(kept.isSubset(of: all.filter { $0 >= hour - 24 }), "\(hour): \(kept)")
    }
  }

  /// The seconds to keep messages, those after which the first may be removed, and the phase of the sweeps.
  @Test(arguments: [(3, 0, 0), (30, 26, 0), (240, 230, 0), (240, 230, 1)])
  func `messages with a short time are removed in time, and few of them early`(
    _ keep: Int, _ least: Int, _ phase: Int
  ) throws {
    let folder = try TemporaryFolder()
    let clock = Atomic<Int>(0)
    let start = Int(EventScene.moment / 1_000)
    var options = Self.options(folder)
    options.now = { Double(start + clock.load(ordering: .relaxed)) }
    options.keep = .seconds(keep)
    let journal = try EventScene.journal(options)
    let messages = try EventScene.messages()
    for second in 0..<3 * keep {
      clock.store(second, ordering: .relaxed)
      journal.append(messages, of: "gate")
      let last = try #require(folder.names(in: "events").last { $0.hasSuffix(".jsonl") })
      try setTime(of: folder["events/" + last], to: start + second)
      #expect(second - (journal.oldest - 1) / messages.count <= keep, "\(second)")
      if (second + phase).isMultiple(of: options.sweep) { journal.prune() }
      #expect((journal.oldest - 1) / messages.count <= max(0, second - least), "\(second)")
    }
  }

  /// The second in which the wall clock jumps, and by how much.
  @Test(arguments: [(25, -3_600), (0, -3_600), (25, -10), (25, 3_600), (25, 0)])
  func `a wall clock that jumps keeps no file open for longer`(_ moment: Int, _ jump: Int) throws {
    let folder = try TemporaryFolder()
    let clock = Atomic<Int>(0)
    let start = Int(EventScene.moment / 1_000)
    var options = Self.options(folder)
    options.elapsed = { Double(clock.load(ordering: .relaxed)) }
    options.now = { [elapsed = options.elapsed] in
      Double(start) + elapsed() + (Int(elapsed()) >= moment ? Double(jump) : 0)
    }
    options.keep = .seconds(30)
    let journal = try EventScene.journal(options)
    let messages = try EventScene.messages()
    var counts: Set<Int> = []
    for second in 0..<120 {
      clock.store(second, ordering: .relaxed)
      journal.append(messages, of: "gate")
      let last = try #require(folder.names(in: "events").last { $0.hasSuffix(".jsonl") })
      try setTime(of: folder["events/" + last], to: Int(options.now()))
      journal.prune()
      let firsts = try folder.names(in: "events").compactMap { EventSegment.first(of: $0) }.sorted()
      for (first, next) in zip(firsts, firsts.dropFirst()) { counts.insert((next - first) / messages.count) }
    }
    // A file ends after the same number of seconds, or at once if the wall clock jumps past them.
    let longest = Int(options.longestFile)
    #expect(!counts.isEmpty && counts.allSatisfy { $0 <= longest + 1 }, "\(counts), \(longest)")
  }

  /// The seconds by which the wall clock is set back.
  @Test(arguments: [0, 10, 29, 3_600, 1_000_000])
  func `messages from before the wall clock was set back are kept for less than twice the time`(
    _ seconds: Int
  ) throws {
    let folder = try TemporaryFolder()
    let clock = Atomic<Int>(0)
    let start = Int(EventScene.moment / 1_000)
    var options = Self.options(folder)
    options.elapsed = { Double(clock.load(ordering: .relaxed)) }
    options.now = { [elapsed = options.elapsed] in
      Double(start) + elapsed() - (elapsed() >= 20 ? Double(seconds) : 0)
    }
    options.keep = .seconds(30)
    let journal = try EventScene.journal(options)
    let messages = try EventScene.messages()
    for second in 0..<120 {
      clock.store(second, ordering: .relaxed)
      journal.append(messages, of: "gate")
      let last = try #require(folder.names(in: "events").last { $0.hasSuffix(".jsonl") })
      try setTime(of: folder["events/" + last], to: Int(options.now()))
      journal.prune()
      let age = second - (journal.oldest - 1) / messages.count
      #expect(age < 60 && age >= min(second, 24), "\(second): \(age)")
    }
  }

  /// The seconds between two removals.
  @Test(arguments: [(0, 1), (30, 1), (240, 2), (3_600, 37), (86_400, 60), (8_640_000_000, 60)])
  func `old files are looked for more often if messages are kept for a short time`(
    _ keep: Int, _ seconds: Int
  ) {
    var options = EventOptions()
    options.keep = .seconds(keep)
    #expect(options.sweep == seconds)
  }

  /// Sets the moment of a file's last change, in seconds since 1970.
  private func setTime(of path: String, to seconds: Int) throws {
    let times = Array(repeating: timespec(tv_sec: seconds, tv_nsec: 0), count: 2)
    try #require(unsafe utimensat(AT_FDCWD, path, times, 0) == 0)
  }

  @Test func `messages go to a new file if another program removes the files`() throws {
    let folder = try TemporaryFolder()
    let journal = try EventScene.journal(Self.options(folder))
    for first in [1, 5, 9] {
      journal.append(try EventScene.messages(), of: "gate")
      let path = "events/" + EventSegment.name(first)
      #expect(Self.lines(try folder.read(path)).count == 4, "\(first)")
      try #require(unsafe unlink(folder[path]) == 0)
    }
    #expect(try journal.page(EventQuery()).lines.count == 12)
  }

  @Test func `a full disk loses no event in memory, and files go on with the next number`() throws {
    let folder = try TemporaryFolder()
    let disk = FullDisk()
    let metrics = Metrics()
    var options = Self.options(folder)
    options.write = { disk.write($0, $1) }
    let journal = try EventScene.journal(options, metrics)
    for isFull in [false, true, false] {
      disk.fill(isFull)
      journal.append(try EventScene.messages(), of: "gate")
    }
    let names = try folder.names(in: "events").filter { $0.hasSuffix(".jsonl") }
    #expect(names == [1, 9].map { EventSegment.name($0) })
    let lines = try names.flatMap { Self.lines(try folder.read("events/" + $0)) }
    #expect(try EventScene.values("number", lines) == [1, 2, 3, 4, 9, 10, 11, 12].map { "\($0)" })
    let page = try journal.page(EventQuery())
    #expect(try EventScene.values("number", page.lines) == (1...12).reversed().map { "\($0)" })
    #expect(metrics.text().contains("fovea_events_unkept_total 4\n"))
  }

  /// The messages of a walk of four that are in a file before the disk is full, and those of another walk.
  @Test(arguments: [(0, 0), (0, 4), (1, 0), (2, 0), (2, 4), (3, 1), (4, 0), (4, 4)])
  func `numbers of messages that a full disk did not keep are not used again`(
    _ kept: Int, _ others: Int
  ) throws {
    let folder = try TemporaryFolder()
    let disk = FullDisk()
    var options = Self.options(folder)
    options.write = { disk.write($0, $1) }
    let walk = try EventScene.messages()
    let other = Array(try EventScene.messages(at: EventScene.moment + 60_000).prefix(others))
    var journal: EventJournal? = try EventScene.journal(options)
    journal?.append(Array(walk.prefix(kept)), of: "gate")
    disk.fill(true)
    journal?.append(Array(walk.dropFirst(kept)), of: "gate")
    journal?.append(other, of: "gate")
    let sent = try #require(journal).ring
    let seen = (sent.first..<sent.next).map { sent[$0] }
    for isFull in [true, true, false] {
      disk.fill(isFull)
      journal = nil
      journal = try EventScene.journal(options)
      let ring = try #require(journal).ring
      let ends = (ring.first..<ring.next).map { ring[$0] }
      #expect(ring.first > 4 + others && ends.count == ((1...3).contains(kept) ? 1 : 0), "\(isFull)")
      // An event and its sequence are the key against duplicates.
      let sequences = Set(try EventScene.values("sequence", seen))
      #expect(try EventScene.values("sequence", ends).allSatisfy { !sequences.contains($0) }, "\(isFull)")
    }
    #expect(try folder.names(in: "events").filter { $0.hasSuffix(".jsonl") }.count <= 2)
  }
}

extension TemporaryFolder {
  /// Returns all names in a folder, in alphabetical order.
  fileprivate static func names(_ path: String) throws -> [String] { try Folder.names(in: path).sorted() }
}
#endif
