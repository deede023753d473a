// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import FoveaTesting
import Testing

@testable import FoveaInference

@Suite struct EventSnapshotsTests {
  private static let id = "gate-20261126T115352.000Z-7"

  private static func names(_ folder: TemporaryFolder) throws -> [String] {
    try folder.names(in: "events/snapshots")
  }

  private static func snapshots(_ page: EventPage?) throws -> Set<String> {
    Set(try EventScene.values("snapshot", page?.lines ?? []))
  }

  @Test func `an image is private, replaced whole, and its address is in the messages from then on`() throws {
    let folder = try TemporaryFolder()
    var journal: EventJournal? = try EventScene.journal(EventOptions(folder: folder["events"]))
    let messages = try EventScene.messages()
    journal?.append([messages[0]], of: "gate")
    #expect(!folder.exists("events/snapshots") && journal?.snapshots.has(Self.id) == false)
    for _ in 0..<2 { journal?.snapshots.keep(try EventScene.pixels(), of: [Self.id]) }
    journal?.append([messages[1]], of: "gate")
    let size = try #require(FileStatus(FilePath(folder["events/snapshots/\(Self.id).jpg"]))?.size)
    #expect(try Self.names(folder) == [Self.id + ".jpg"])
    #expect(journal?.snapshots.size == size && journal?.snapshots.growth == size)
    #expect(FileStatus(FilePath(folder["events/snapshots"]))?.permissions == 0o700)
    #expect(FileStatus(FilePath(folder["events/snapshots/\(Self.id).jpg"]))?.permissions == 0o600)
    // A killed server's event ends with its image.
    journal = nil
    journal = try EventScene.journal(EventOptions(folder: folder["events"]))
    let lines = try #require(journal?.life(Self.id).lines)
    #expect(
      try EventScene.values("snapshot", lines.dropFirst())
        == Array(repeating: "/v1/events/\(Self.id)/snapshot.jpg", count: 2))
    #expect(lines.count == 3 && lines[0].hasSuffix("\"snapshot\": null}"))
    #expect(journal?.snapshots.size == size && journal?.snapshots.growth == 0)
  }

  @Test func `images go with the file that has the end of their event, and count for the limit`() throws {
    let folder = try TemporaryFolder()
    var options = EventOptions(folder: folder["events"])
    options.segmentSize = 2_000
    options.limit = 8_000
    var journal: EventJournal? = try EventScene.journal(options)
    // Stays open.
    let door = try EventScene.messages()
    journal?.snapshots.keep(try EventScene.pixels(), of: [door[0].id(in: "door")])
    journal?.append([door[0]], of: "door")
    for hour: Int64 in 1...8 {
      let messages = try EventScene.messages(at: EventScene.moment + hour * 3_600_000)
      journal?.snapshots.keep(try EventScene.pixels(), of: [messages[0].id(in: "gate")])
      journal?.append(messages, of: "gate")
    }
    let files = try folder.names(in: "events").filter { $0.hasSuffix(".jsonl") }
    let text = try files.map { try folder.read("events/" + $0) }.joined()
    let lines = text.split(separator: "\n").map { String($0) }
    let ended = try EventScene.values("id", lines.filter { $0.contains("\"event_type\": \"end\"") })
    let names = try Self.names(folder)
    #expect(names == (ended + [door[0].id(in: "door")]).map { $0 + ".jpg" }.sorted())
    #expect(ended.count < 8 && !lines.contains { $0.contains("\"door\"") })
    let images = names.compactMap { FileStatus(FilePath(folder["events/snapshots/" + $0]))?.size }
    #expect(journal?.snapshots.size == images.reduce(0, +) && images.count == names.count)
    // The newest file may have begun after the last check of the limit.
    #expect(text.utf8.count + images.reduce(0, +) <= 8_000 + 2_000)
    // An open event whose lines are gone ends with its image after a restart.
    journal = nil
    options.limit = 1 << 30
    journal = try EventScene.journal(options)
    journal?.removeStrays()
    #expect(try Self.names(folder) == names)
    let life = try #require(journal?.life(door[0].id(in: "door")).lines)
    #expect(try EventScene.values("event_type", life) == ["end"])
  }

  @Test func `the limit includes the images of earlier servers, however often a server starts`() throws {
    let folder = try TemporaryFolder()
    var options = EventOptions(folder: folder["events"])
    options.limit = 24_000
    for hour: Int64 in 1...20 {
      let messages = try EventScene.messages(at: EventScene.moment + hour * 3_600_000)
      let journal = try EventScene.journal(options)
      journal.append(messages, of: "gate")
      // As if it came with the messages.
      let name = "\(messages[0].id(in: "gate")).jpg"
      try folder.write("events/snapshots/\(name)", String(repeating: " ", count: 4_000))
    }
    _ = try EventScene.journal(options)
    let places = try ["events/", "events/snapshots/"].flatMap { place in
      try folder.names(in: place).map { folder[place + $0] }
    }
    let sizes = places.compactMap { FileStatus(FilePath($0)) }.filter { $0.kind == .file }.map(\.size)
    #expect(sizes.count > 4 && sizes.reduce(0, +) <= 24_000 + 8_000 + 4_000)
  }

  @Test func `incomplete images and those that no message names are removed, and no other file`() throws {
    let folder = try TemporaryFolder()
    var journal: EventJournal? = try EventScene.journal(EventOptions(folder: folder["events"]))
    journal?.snapshots.keep(try EventScene.pixels(), of: [Self.id, "stray"])
    journal?.append(try EventScene.messages(), of: "gate")
    journal = nil
    for name in ["\(Self.id).jpg.partial", "empty.jpg"] { try folder.write("events/snapshots/" + name, "") }
    try folder.write("events/snapshots/notes.txt", "")
    try folder.write("secret.jpg", "secret")
    try folder.link("events/snapshots/link.jpg", to: folder["secret.jpg"])
    journal = try EventScene.journal(EventOptions(folder: folder["events"]))
    // After the start, which does not wait for it.
    journal?.removeStrays { true }
    #expect(try Self.names(folder).contains("stray.jpg"))
    journal = nil
    journal = try EventScene.journal(EventOptions(folder: folder["events"]))
    journal?.removeStrays()
    #expect(try Self.names(folder) == ["\(Self.id).jpg", "link.jpg", "notes.txt"])
    #expect(folder.exists("secret.jpg"))
    let size = FileStatus(FilePath(folder["events/snapshots/\(Self.id).jpg"]))?.size
    #expect(journal?.snapshots.size == size)
  }

  @Test(arguments: [
    "", ".", "..", "../secret", "a/../../secret", "/etc/passwd", "a\0", "a\\b", "tür", "a b", "a\n", "%2e",
    String(repeating: "a", count: 201), String(repeating: "a", count: 100_000),
  ])
  func `text that is not an id has no image and writes none`(_ id: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("secret.jpg", "secret")
    let metrics = Metrics()
    let journal = try EventScene.journal(EventOptions(folder: folder["events"]), metrics)
    #expect(!journal.snapshots.has(id))
    #expect(try journal.snapshots.jpeg(of: id) == nil)
    journal.snapshots.remove(id)
    journal.snapshots.keep(try EventScene.pixels(), of: [id])
    #expect(metrics.text().contains("fovea_events_unkept_total 1\n"))
    #expect(try folder.read("secret.jpg") == "secret")
    #expect(try folder.names(in: "events") == ["events.json"])
  }

  @Test func `without a folder, there are no images`() throws {
    let metrics = Metrics()
    let journal = try EventScene.journal(EventOptions(), metrics)
    journal.snapshots.keep(try EventScene.pixels(), of: [Self.id])
    journal.append(try EventScene.messages(), of: "gate")
    #expect(try journal.snapshots.jpeg(of: Self.id) == nil && journal.snapshots.size == 0)
    #expect(try journal.page(EventQuery()).lines.allSatisfy { $0.hasSuffix("\"snapshot\": null}") })
    #expect(!metrics.text().contains("fovea_events_unkept_total 1"))
  }

  @Test func `an event goes on without its image if it cannot be written, which is counted`() throws {
    let folder = try TemporaryFolder()
    let metrics = Metrics()
    let journal = try EventScene.journal(EventOptions(folder: folder["events"]), metrics)
    try folder.write("events/snapshots", "")
    let messages = try EventScene.messages()
    journal.snapshots.keep(try EventScene.pixels(), of: [Self.id, "other"])
    journal.append([messages[0]], of: "gate")
    #expect(metrics.text().contains("fovea_events_unkept_total 2\n"))
    #expect(try journal.life(Self.id).lines.map { $0.contains("\"snapshot\": null") } == [true])
    try #require(unsafe unlink(folder["events/snapshots"]) == 0)
    journal.snapshots.keep(try EventScene.pixels(), of: [Self.id])
    journal.append([messages[1]], of: "gate")
    #expect(try Self.names(folder) == [Self.id + ".jpg"])
    #expect(try Self.snapshots(journal.life(Self.id)).contains("/v1/events/\(Self.id)/snapshot.jpg"))
    #expect(metrics.text().contains("fovea_events_unkept_total 2\n"))
  }
}
#endif
