// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import FoveaGeometry
import FoveaImage
import FoveaTesting
import FoveaVideo
import HTTPTypes
import Testing

@testable import FoveaInference

@Suite struct EventRoutesTests {
  private static func value(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private static func kinds(_ text: String) throws -> [String] {
    let events = try #require(value(text)["events"] as? [[String: Any]])
    return events.compactMap { $0["event_type"] as? String }
  }

  @Test func `the routes answer with the messages of the folder`() async throws {
    let folder = try TemporaryFolder()
    let options = EventOptions(folder: folder["events"])
    var journal: EventJournal? = try EventScene.journal(options)
    journal?.append(try EventScene.messages(), of: "gate")
    journal = nil
    try await RunningInference.run([.embedded], { $0.events = options }) { server in
      let all = try server.send("GET", "/v1/events")
      #expect(all.status == 200 && all.headers["content-type"] == "application/json; charset=utf-8")
      #expect(try Self.kinds(all.body) == ["end", "left", "entered", "start"])
      #expect(try Self.value(all.body)["next"] is NSNull)
      let newest = try server.send("GET", "/v1/events?limit=1&type=left")
      #expect(try Self.kinds(newest.body) == ["left"])
      #expect(try Self.value(newest.body)["next"] as? Int == 3)
      let life = try server.send("GET", "/v1/events/gate-20261126T115352.000Z-7")
      #expect(try Self.kinds(life.body) == ["start", "entered", "left", "end"])
      for id in ["gate", "..%2F..%2Fevents.json", "%00", String(repeating: "a", count: 2_000)] {
        let missing = try server.send("GET", "/v1/events/\(id)")
        #expect(missing.status == 404 && missing.errorCode == "event-unknown", "\(id.prefix(40))")
        #expect(missing.body.utf8.count < 500)
      }
      let wrong = try server.send("GET", "/v1/events?limits=1")
      #expect(wrong.status == 400 && wrong.errorCode == "option-unknown")
      #expect(wrong.body.contains("Did you mean 'limit'?"))
      let idWithQuery = try server.send("GET", "/v1/events/gate?limit=1")
      #expect(idWithQuery.status == 400 && idWithQuery.errorCode == "option-unknown")
      #expect(try server.send("POST", "/v1/events").status == 405)
    }
  }

  @Test func `the image of an event is sent once, and no other file is`() async throws {
    let folder = try TemporaryFolder()
    let options = EventOptions(folder: folder["events"])
    var journal: EventJournal? = try EventScene.journal(options)
    let id = "gate-20261126T115352.000Z-7"
    journal?.snapshots.keep(try EventScene.pixels(), of: [id])
    journal?.append(try EventScene.messages(), of: "gate")
    journal = nil
    try folder.write("events/secret.jpg", "secret")
    try await RunningInference.run([.embedded], { $0.events = options }) { server in
      let life = try server.send("GET", "/v1/events/\(id)").body
      #expect(life.contains("\"snapshot\": \"/v1/events/\(id)/snapshot.jpg\""))
      let (answer, bytes) = try server.sendForBytes("GET", "/v1/events/\(id)/snapshot.jpg?_=1")
      #expect(answer.status == 200 && answer.headers["content-type"] == "image/jpeg")
      #expect(bytes.starts(with: [0xFF, 0xD8, 0xFF]))
      let tag = try #require(answer.headers["etag"])
      let known = try server.send("GET", "/v1/events/\(id)/snapshot.jpg", headers: ["If-None-Match": tag])
      #expect(known.status == 304 && known.body.isEmpty)
      #expect(try server.send("HEAD", "/v1/events/\(id)/snapshot.jpg").status == 200)
      for id in [
        "gate", "..%2Fsecret", "%2E%2E%2Fsecret", "..", "%00", "a%2Fb", "\(id)%00", "..%5Csecret",
        String(repeating: "a", count: 2_000),
      ] {
        let missing = try server.send("GET", "/v1/events/\(id)/snapshot.jpg")
        #expect(missing.status == 404 && missing.body.utf8.count < 500, "\(id.prefix(40))")
        #expect(missing.errorCode == "snapshot-unknown", "\(id.prefix(40))")
      }
      #expect(try server.send("POST", "/v1/events/\(id)/snapshot.jpg").status == 405)
    }
  }

  /// A connection on which a stream of messages starts.
  private static func open(_ server: RunningInference, _ header: String = "") throws -> RawConnection {
    let connection = try RawConnection(port: server.port)
    connection.send("GET /v1/events/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\(header)\r\n")
    return connection
  }

  @Test func `a stream has further messages, and goes on after the last one that was seen`() async throws {
    let folder = try TemporaryFolder()
    let options = EventOptions(folder: folder["events"])
    var journal: EventJournal? = try EventScene.journal(options)
    journal?.append(try EventScene.messages(), of: "gate")
    journal = nil
    let further = try EventScene.messages()
    try await RunningInference.run([.embedded], { $0.events = options }) { server in
      let resumed = try Self.open(server, "Last-Event-ID: 2\r\n")
      let before = resumed.read(until: "id: 4\ndata: {")
      #expect(before.contains("text/event-stream") && before.contains("id: 3\ndata: {"))
      #expect(!before.contains("id: 2\n"))
      let new = try Self.open(server)
      // The first comment shows that the stream has started.
      #expect(!new.read(until: ":\n\n").contains("data: "))
      server.service.events.journal?.append(further, of: "door")
      for connection in [resumed, new] {
        let text = connection.read(until: "id: 8\ndata: {")
        for number in 5...8 { #expect(text.contains("id: \(number)\ndata: {")) }
      }
      let wrong = try server.send("GET", "/v1/events/stream", headers: ["Last-Event-ID": "x"])
      #expect(wrong.status == 400 && wrong.errorCode == "option-invalid")
      server.service.endStreams()
      #expect(new.read(until: "0\r\n\r\n").hasSuffix("0\r\n\r\n"))
      // Those who come during the end are disconnected at once.
      #expect(try Self.open(server).read(until: "\r\n0\r\n\r\n").hasSuffix("0\r\n\r\n"))
    }
  }

  @Test func `a server without a folder has no events, and one with a foreign folder does not start`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("events/photo.jpg", "")
    try await RunningInference.run([.embedded]) { server in
      for path in [
        "/v1/events", "/v1/events/gate-1", "/v1/events/gate-1/snapshot.jpg", "/v1/events/stream",
      ] {
        let answer = try server.send("GET", path)
        #expect(answer.status == 404 && answer.errorCode == "events-off", "\(path)")
      }
    }
    await #expect {
      try await RunningInference.run(
        [.embedded], { $0.events = EventOptions(folder: folder["events"]) }
      ) { _ in }
    } throws: { error in
      "\(error)".contains("has files of another program, such as 'photo.jpg'")
    }
    #expect(try folder.names() == ["events"])
  }

  @Test func `events need the scope of streams`() {
    for path in [
      "/v1/events", "/v1/events/stream", "/v1/events?limit=1", "/v1/events/gate-1", "//v1/events/",
      "/v1/events/gate-1/snapshot.jpg",
    ] {
      let head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: path)
      #expect(AccessGuard.scope(head) == .streams, "\(path)")
    }
  }

  #if Video
  @Test func `a source is watched without viewers, and its events end with the server`() async throws {
    let folder = try TemporaryFolder()
    let source = StreamEntry(name: "walk", source: .file(StreamTests.clip))
    try await RunningInference.run(
      [.embedded],
      {
        $0.sources = [source]
        $0.events = EventOptions(folder: folder["events"])
      }
    ) { server in
      blockUntil {
        (try? server.send("GET", "/v1/events?type=start").body.contains("\"walk-")) == true
      }
      server.service.endStreams()
      blockUntil {
        (try? server.send("GET", "/v1/events?type=end").body.contains("\"stopped\"")) == true
      }
      let ends = try server.send("GET", "/v1/events?type=end")
      #expect(ends.body.contains("\"reason\": \"stopped\""))
      let starts = try server.send("GET", "/v1/events?type=start&source=walk&label=person")
      #expect(try !Self.kinds(starts.body).isEmpty)
      let first = try #require((Self.value(starts.body)["events"] as? [[String: Any]])?.last)
      let path = try #require(first["snapshot"] as? String)
      let image = try EncodedImage(bytes: server.sendForBytes("GET", path).bytes, name: path)
      #expect(try image.canvas().size == PixelSize(width: 768, height: 432))
      let metrics = try server.send("GET", "/metrics").body
      #expect(metrics.contains("fovea_events_total{stream=\"walk\",type=\"start\"}"))
      #expect(metrics.contains("\nfovea_events_refused_total{stream=\"walk\"} 0\n"))
      #expect(metrics.contains("\nfovea_events_unkept_total 0\n"))
    }
  }
  #endif
}
#endif
