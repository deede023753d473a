// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaFormats
import FoveaHTTP
import FoveaTesting
import FoveaTracking
import FoveaVideo
import Logging
import Synchronization
import Testing

@testable import FoveaInference

@Suite struct EventTotalsTests {
  private static let door = CountedShape(name: "door", points: [300, 0, 300, 480])
  private static let first = "events/events-000000000001.jsonl"

  /// The messages of a walk through a zone and over a line: start, entered, crossed, left and end.
  private static func walk() throws -> [StreamEvent] {
    let counters = try FrameCounters(lines: [door], zones: [EventScene.zone], memory: 30)
    var events = FrameEvents()
    for (index, frame) in EventScene.frames().enumerated() {
      try events.update(
        frame, in: counters, threshold: 0.5, at: EventScene.moment + 100 * Int64(index))
    }
    return events.take()
  }

  private static func options(_ folder: TemporaryFolder) -> EventOptions {
    EventOptions(folder: folder["events"])
  }

  private static func entry(zone: String = "drive") -> StreamEntry {
    var entry = StreamEntry(name: "gate", source: .file("gate.mp4"))
    entry.settings.zones = [CountedShape(name: zone, points: EventScene.zone.points)]
    entry.settings.lines = [door]
    return entry
  }

  /// The samples of a source in `/metrics` that are not 0.
  private static func samples(_ totals: EventTotals, of entry: StreamEntry = entry()) -> [String] {
    let metrics = Metrics()
    metrics.counter("events", help: "") { totals.messages(of: [entry]) }
    metrics.counter("entered", help: "") { totals.entries(of: [entry]) }
    metrics.counter("crossings", help: "") { totals.crossings(of: [entry]) }
    return metrics.text().split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.hasSuffix(" 0") }
      .map { String($0) }
  }

  private static let kinds: [ObjectEvent.Kind] = [.start, .entered, .crossed, .left, .end]

  private static func counts(_ totals: EventTotals) -> [Int] {
    kinds.map { totals.count(of: $0, in: "gate") }
  }

  @Test func `the counts of a source go on after a restart with the same folder only`() throws {
    let folder = try TemporaryFolder()
    let walk = try Self.walk()
    try #require(walk.count == 5 && Set(walk.map(\.event.kind)) == Set(Self.kinds))
    for (options, others) in [(Self.options(folder), 1), (EventOptions(), 0)] {
      var journal: EventJournal? = try EventScene.journal(options)
      #expect(Self.samples(try #require(journal).totals) == [])
      journal?.append(walk, of: "gate")
      journal?.append(walk, of: "door")
      journal = nil
      journal = try EventScene.journal(options)
      journal?.append(walk, of: "gate")
      let totals = try #require(journal).totals
      #expect(Self.counts(totals) == Array(repeating: 1 + others, count: 5))
      #expect(totals.count(of: .start, in: "door") == others)
      let samples = Self.samples(totals)
      #expect(samples.contains("entered{stream=\"gate\",zone=\"drive\"} \(1 + others)"))
      #expect(samples.contains("events{stream=\"gate\",type=\"crossed\"} \(1 + others)"))
      let crossings = samples.filter { $0.hasPrefix("crossings{stream=\"gate\",line=\"door\"") }
      #expect(crossings.count == 1 && crossings[0].hasSuffix(" \(1 + others)"))
    }
  }

  @Test func `a source without events has zeros for all types, zones and directions`() {
    let metrics = Metrics()
    metrics.counter("events", help: "") { EventTotals().messages(of: [Self.entry()]) }
    metrics.counter("entered", help: "") { EventTotals().entries(of: [Self.entry()]) }
    metrics.counter("crossings", help: "") { EventTotals().crossings(of: [Self.entry()]) }
    let samples = metrics.text().split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(samples.count == 11 && samples.allSatisfy { $0.hasSuffix(" 0") })
  }

  /// The whole messages in the file of a killed server, and whether it has a part of the next one.
  @Test(arguments: 0...5, [false, true])
  func `a kill loses no message that is in a file`(_ kept: Int, _ isCut: Bool) throws {
    let folder = try TemporaryFolder()
    var journal: EventJournal? = try EventScene.journal(Self.options(folder))
    let walk = try Self.walk()
    journal?.append(walk, of: "gate")
    journal = nil
    let lines = try folder.read(Self.first).split(separator: "\n")
    let part = isCut && kept < lines.count ? String(lines[kept].prefix(300)) : ""
    try folder.write(Self.first, lines.prefix(kept).map { $0 + "\n" }.joined() + part)
    for _ in 0..<2 {
      journal = nil
      journal = try EventScene.journal(Self.options(folder))
      // An event that was open has its end since the first start.
      let seen = Set(walk.prefix(kept).map(\.event.kind)).union(kept > 0 ? [.end] : [])
      let expected = Self.kinds.map { seen.contains($0) ? 1 : 0 }
      #expect(Self.counts(try #require(journal).totals) == expected)
    }
  }

  /// The text of `open.json`, nil for that of the killed server, and whether older messages are still counted.
  @Test(
    arguments: [
      (nil, true), ("", false), (#"{"number": 1, "time": "2026-11-26T10:00:00Z", "events": []}"#, false),
    ] as [(String?, Bool)])
  func `counts have the messages of removed files, unless the file with them is damaged`(
    _ open: String?, _ hasAll: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let log = Mutex<[String]>([])
    let logger = Logger(label: "test") { label in
      JSONLogHandler(label: label, now: { "now" }) { line in log.withLock { $0.append(line) } }
    }
    var options = Self.options(folder)
    (options.segmentSize, options.limit) = (2_000, 6_000)
    var journal: EventJournal? = try EventScene.journal(options)
    for _ in 0..<6 { journal?.append(try Self.walk(), of: "gate") }
    #expect(Self.counts(try #require(journal).totals) == [6, 6, 6, 6, 6])
    journal = nil
    #expect(!folder.exists(Self.first))
    if let open { try folder.write("events/open.json", open) }
    let left = try folder.names(in: "events").filter { $0.hasSuffix(".jsonl") }
      .map { try folder.read("events/" + $0).split(separator: "\n").count }.reduce(0, +)
    journal = try EventJournal(options, metrics: Metrics(), logger: logger)
    let counts = Self.counts(try #require(journal).totals)
    #expect(counts.reduce(0, +) == (hasAll ? 30 : left) && left < 30)
    let warnings = log.withLock { $0.filter { $0.contains("counts of earlier events") } }
    #expect(warnings.count == (hasAll ? 0 : 1))
  }

  @Test func `a zone that is removed has no metric, and goes on when it is back`() throws {
    let folder = try TemporaryFolder()
    var options = Self.options(folder)
    // Files go, so that the counts come from the file with those of earlier messages.
    (options.segmentSize, options.limit) = (1, 1)
    for (round, zone) in ["drive", "yard", "drive"].enumerated() {
      let journal = try EventScene.journal(options)
      if round == 0 { journal.append(try Self.walk(), of: "gate") }
      let samples = Self.samples(journal.totals, of: Self.entry(zone: zone))
      let expected = zone == "drive" ? ["entered{stream=\"gate\",zone=\"drive\"} 1"] : []
      #expect(samples.filter { $0.hasPrefix("entered") } == expected, "\(round)")
      #expect(samples.contains("events{stream=\"gate\",type=\"entered\"} 1"))
    }
  }

  @Test(
    arguments: [
      "", "{}", "[1]", "[{}]", #"[{"source": "gate", "type": "start"}]"#,
      #"[{"source": "gate", "type": "start", "count": -1}]"#,
      #"[{"source": "gate", "type": "start", "count": 9223372036854775807}]"#,
      #"[{"source": 1, "type": "start", "count": 1}]"#,
    ])
  func `counts that are damaged are not read`(_ text: String) throws {
    #expect(EventTotals(try? JSONValue(Array(text.utf8), name: "counts")) == nil)
  }
}
#endif
