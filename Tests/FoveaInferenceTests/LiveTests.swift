// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import Fovea
import FoveaInference
import FoveaTesting
import Testing

@Suite struct LiveTests {
  typealias Frame = WebSocketClient.Frame

  private static func connect(
    _ server: RunningInference, start: String? = #"{"type": "start"}"#
  ) throws -> WebSocketClient {
    let client = try WebSocketClient(port: server.port, path: "/v1/live")
    guard let start else { return client }
    client.send(.text(start))
    #expect(try client.text(with: "\"type\": \"ready\"") != nil)
    return client
  }

  /// A message with a frame.
  private static func frame(_ sequence: UInt32, _ image: [UInt8]) -> Frame {
    Frame(2, (0..<4).map { UInt8(sequence >> (8 * $0) & 255) } + [0, 0, 0, 0] + image)
  }

  private static func value(_ text: String?) throws -> [String: Any] {
    let text = try #require(text)
    return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// The next result, error or note about a dropped frame.
  private static func answer(_ client: WebSocketClient) throws -> [String: Any] {
    try value(client.text(with: "\"sequence\""))
  }

  private static func identities(_ answer: [String: Any]) -> [Int] {
    (answer["objects"] as? [[String: Any]] ?? []).compactMap { $0["trackingID"] as? Int }.sorted()
  }

  @Test func `objects keep their identities from frame to frame, and with another threshold`()
    async throws
  {
    let image = try RunningInference.bytes()
    try await RunningInference.run { server in
      let client = try WebSocketClient(port: server.port, path: "/v1/live")
      client.send(.text(#"{"type": "start", "threshold": 0.5, "lines": [[0, 200, 600, 200]]}"#))
      let ready = try Self.value(client.text(with: "ready"))
      #expect(ready["task"] as? String == "track" && ready["window"] as? Int == 2)
      #expect((ready["labels"] as? [String])?.contains("cup") == true)
      var seen: [[Int]] = []
      for sequence in 1...3 as ClosedRange<UInt32> {
        client.send(Self.frame(sequence, image))
        let answer = try Self.answer(client)
        #expect(answer["type"] as? String == "result" && answer["sequence"] as? Int == Int(sequence))
        #expect(answer["frame"] as? Int == Int(sequence) && answer["width"] as? Int == 600)
        #expect((answer["counts"] as? [String: Any])?["lines"] != nil)
        seen.append(Self.identities(answer))
      }
      #expect(!seen[0].isEmpty && seen[1] == seen[0] && seen[2] == seen[0])
      client.send(.text(#"{"type": "change", "threshold": 0.4}"#))
      #expect(try client.text(with: "\"type\": \"change\"") != nil)
      client.send(Self.frame(10, image))
      let later = try Self.answer(client)
      #expect(Set(Self.identities(later)).isSuperset(of: seen[0]))
      client.send(.text(#"{"type": "change", "model": "coarse"}"#))
      let changed = try Self.value(client.text(with: "\"type\": \"change\""))
      #expect(changed["task"] as? String == "label")
      client.send(Self.frame(11, image))
      let labeled = try Self.answer(client)
      let labels = try #require(labeled["labels"] as? [[String: Any]])
      #expect(labels.first?["text"] as? String == "Home good")
    }
  }

  @Test
  func `another minimum score applies to followed objects at once, and identities and zones stay`()
    async throws
  {
    let image = try RunningInference.bytes()
    try await RunningInference.run([.embedded]) { server in
      let client = try Self.connect(
        server,
        start: #"{"type": "start", "threshold": 0.4, "zones": [[0, 0, 600, 0, 600, 400, 0, 400]]}"#)
      var sequence: UInt32 = 0
      func found(_ threshold: Double?) throws -> (identities: [Int], scores: [Double], inside: Int?) {
        if let threshold {
          client.send(.text(#"{"type": "change", "threshold": \#(threshold)}"#))
          #expect(try client.text(with: "\"type\": \"change\"") != nil)
        }
        sequence += 1
        client.send(Self.frame(sequence, image))
        let answer = try Self.answer(client)
        let objects = try #require(answer["objects"] as? [[String: Any]])
        let zones = (answer["counts"] as? [String: Any])?["zones"] as? [[String: Any]]
        return (
          Self.identities(answer), objects.compactMap { $0["score"] as? Double },
          zones?.first?["inside"] as? Int
        )
      }
      for _ in 1...3 { _ = try found(nil) }
      let before = try found(nil)
      let highest = try #require(before.scores.max())
      #expect(before.identities.count > 1 && before.inside == before.identities.count)
      // The confident one stays, with the same identity.
      let sure = try found(highest - 0.001)
      #expect(sure.scores == [highest] && Set(sure.identities).isSubset(of: before.identities))
      #expect(sure.inside == before.inside)
      for _ in 1...3 {
        let none = try found(0.95)
        #expect(none.scores.isEmpty && none.inside == before.inside)
      }
      #expect(try found(0.4) == before)
    }
  }

  @Test func `a detector without a tracker gives no identities, and may skip every second frame`()
    async throws
  {
    let image = try RunningInference.bytes()
    try await RunningInference.run { server in
      let plain = try Self.connect(server, start: #"{"type": "start", "task": "detect"}"#)
      plain.send(Self.frame(1, image))
      let answer = try Self.answer(plain)
      #expect((answer["objects"] as? [Any])?.isEmpty == false && Self.identities(answer).isEmpty)
      let every = try Self.connect(server, start: #"{"type": "start", "every": 2}"#)
      var detected: [Bool?] = []
      for sequence in 1...4 as ClosedRange<UInt32> {
        every.send(Self.frame(sequence, image))
        detected.append(try Self.answer(every)["detected"] as? Bool)
      }
      #expect(detected == [true, false, true, false])
    }
  }

  @Test func `a frame of another size starts again`() async throws {
    let image = try RunningInference.bytes()
    let other = try RunningInference.bytes(PackageRoot.path + "/Examples/photos/cat.jpg")
    try await RunningInference.run([.embedded]) { server in
      let client = try Self.connect(
        server, start: #"{"type": "start", "threshold": 0.5, "lines": [[0, 200, 600, 200]]}"#)
      var widths: [Int?] = []
      for (sequence, bytes) in zip(1...3 as ClosedRange<UInt32>, [image, other, image]) {
        client.send(Self.frame(sequence, bytes))
        let answer = try Self.answer(client)
        widths.append(answer["width"] as? Int)
        // The tracker has restarted: the first objects have the first numbers.
        #expect(Self.identities(answer).first == 1 && answer["counts"] != nil, "frame \(sequence)")
      }
      #expect(widths == [600, 451, 600])
    }
  }

  @Test func `lines and zones that can count nothing are noted once for each size and change`() async throws {
    let image = try RunningInference.bytes()
    let other = try RunningInference.bytes(PackageRoot.path + "/Examples/photos/cat.jpg")
    let fractions = "has only coordinates from 0 to 1"
    let steps: [(change: String?, image: [UInt8], notes: [String])] = [
      (nil, image, ["Line 1 \(fractions)"]), (nil, image, []),
      (#""threshold": 0.4"#, image, []),
      (#""zones": [[599, 0, 900, 0, 900, 90]]"#, image, ["Line 1 \(fractions)"]),
      (#""lines": []"#, image, []),
      (nil, other, ["Zone 1 is outside the frame of 451 × "]), (nil, other, []), (nil, image, []),
    ]
    try await RunningInference.run([.embedded]) { server in
      let client = try Self.connect(
        server, start: #"{"type": "start", "threshold": 0.5, "lines": [[0.1, 0.2, 0.9, 0.2]]}"#)
      for (sequence, step) in zip((1 as UInt32)..., steps) {
        if let change = step.change {
          client.send(.text("{\"type\": \"change\", \(change)}"))
          #expect(try client.text(with: "\"type\": \"change\"") != nil)
        }
        client.send(Self.frame(sequence, step.image))
        let answer = try Self.answer(client)
        let notes = answer["notes"] as? [String]
        #expect(notes?.count == (step.notes.isEmpty ? nil : step.notes.count), "frame \(sequence)")
        for (note, start) in zip(notes ?? [], step.notes) {
          #expect(note.hasPrefix(start) && note.hasSuffix("in pixels from the top left corner"), "\(note)")
        }
      }
    }
  }

  private static func names(_ answer: [String: Any]) -> Set<String> {
    let objects = answer["objects"] as? [[String: Any]] ?? [answer]
    return Set(
      objects.flatMap { $0["labels"] as? [[String: Any]] ?? [] }.compactMap { $0["text"] as? String })
  }

  @Test(arguments: ["track", "detect"])
  func `allowed and denied labels change from frame to frame, and identities stay`(task: String)
    async throws
  {
    let image = try RunningInference.bytes()
    try await RunningInference.run { server in
      let client = try Self.connect(server, start: #"{"type": "start", "task": "\#(task)"}"#)
      client.send(Self.frame(1, image))
      let all = try Self.answer(client)
      #expect(Self.names(all).isSuperset(of: ["cup", "dining table"]))
      client.send(.text(#"{"type": "change", "allow": ["cup"]}"#))
      let changed = try Self.value(client.text(with: "\"type\": \"change\""))
      #expect(changed["allow"] as? [String] == ["cup"] && changed["deny"] as? [String] == [])
      client.send(Self.frame(2, image))
      let cups = try Self.answer(client)
      #expect(Self.names(cups) == ["cup"])
      #expect(Set(Self.identities(cups)).isSubset(of: Self.identities(all)))
      client.send(.text(#"{"type": "change", "deny": ["cup"]}"#))
      #expect(try client.text(with: "\"deny\": [\"cup\"]") != nil)
      client.send(Self.frame(3, image))
      let others = Self.names(try Self.answer(client))
      #expect(others.contains("dining table") && !others.contains("cup"))
      client.send(.text(#"{"type": "change", "deny": []}"#))
      #expect(try client.text(with: "\"deny\": []") != nil)
      client.send(Self.frame(4, image))
      #expect(Self.names(try Self.answer(client)) == Self.names(all))
    }
  }

  @Test func `a labeler reports the allowed labels`() async throws {
    let image = try RunningInference.bytes()
    try await RunningInference.run { server in
      let start = #"{"type": "start", "model": "coarse", "threshold": 0, "allow": ["Food"]}"#
      let client = try Self.connect(server, start: start)
      client.send(Self.frame(1, image))
      #expect(Self.names(try Self.answer(client)) == ["Food"])
    }
  }

  @Test(arguments: [("track", "default"), ("detect", "default"), ("label", "coarse")], [true, false])
  func `a start without a model uses the first one for its task`(
    task: (name: String, model: String), isClassifierFirst: Bool
  ) async throws {
    let models = [ModelEntry.embedded, ModelEntry(name: "coarse", source: .embedded(.classifier))]
    try await RunningInference.run(isClassifierFirst ? models.reversed() : models) { server in
      let client = try WebSocketClient(port: server.port, path: "/v1/live")
      client.send(.text(#"{"type": "start", "task": "\#(task.name)"}"#))
      let ready = try Self.value(client.text(with: "\"type\""))
      #expect(ready["type"] as? String == "ready" && ready["model"] as? String == task.model)
      client.send(.text(#"{"type": "start"}"#))
      let first = try Self.value(client.text(with: "\"type\""))
      #expect(first["model"] as? String == (isClassifierFirst ? "coarse" : "default"))
    }
  }

  @Test func `the newest frame wins, and each frame has one response`() async throws {
    let image = try RunningInference.bytes()
    try await RunningInference.run { server in
      let client = try Self.connect(server)
      for sequence in 1...8 as ClosedRange<UInt32> { client.send(Self.frame(sequence, image)) }
      var answered: [Int: String] = [:]
      while answered.count < 8 {
        let answer = try Self.answer(client)
        let sequence = try #require(answer["sequence"] as? Int)
        #expect(answered[sequence] == nil)
        answered[sequence] = answer["type"] as? String
      }
      #expect(answered[8] == "result")
      #expect(Set(answered.values).isSubset(of: ["result", "dropped"]))
    }
  }

  @Test func `an invalid frame or text is an error, and the connection continues`() async throws {
    let image = try RunningInference.bytes()
    try await RunningInference.run { server in
      let client = try Self.connect(server, start: nil)
      for (text, code) in [
        ("{", "request-malformed"), ("{}", "request-malformed"),
        (#"{"type": "change", "threshold": 0.5}"#, "request-malformed"),
        (
          #"{"type": "begin"}"#,
          "'type' is 'begin' at line 1, column 17, byte 16; it must be one of start, change"
        ),
        (#"{"type": "start", "model": 5}"#, "'model' is not a string"),
        (#"{"type": "start", "every": 1, "every": 2}"#, "the member 'every' occurs twice"),
        (
          #"{"type": "start", "treshold": 0.5}"#,
          "the message has no member 'treshold' at line 1, column 30, byte 29; did you mean 'threshold'?"
        ),
        (#"{"type": "start", "threshold": 2}"#, "option-invalid"),
        (#"{"type": "start", "every": 0}"#, "option-invalid"),
        (#"{"type": "start", "every": 1001}"#, "'every' is 1001; it must be 1…1000"),
        (#"{"type": "start", "every": 1000000000000}"#, "option-invalid"),
        (#"{"type": "start", "allow": ["cups"]}"#, "option-invalid"),
        (#"{"type": "start", "deny": ["unicorn"]}"#, "option-invalid"),
        (
          #"{"type": "start", "allow": ["cup"], "deny": ["dining table"]}"#,
          "The options 'allow' and 'deny' exclude each other"
        ),
        (
          #"{"type": "start", "deny": ["cup\#(String(repeating: ",cup", count: 10_000))"]}"#,
          "'deny' has more than 10,000 parts between commas"
        ),
        (#"{"type": "start", "allow": [""]}"#, "'allow' has an empty label at line 1"),
        (#"{"type": "start", "allow": "cup"}"#, "request-malformed"),
        (#"{"type": "start", "allow": [7]}"#, "request-malformed"),
        (#"{"type": "start", "model": "coarse", "allow": ["cup"]}"#, "option-invalid"),
        (
          #"{"type": "start", "lines": [1]}"#,
          "'lines' is not a list of lists of numbers at line 1, column 29, byte 28; write it as [[x1, y1, x2, y2]]"
        ),
        (#"{"type": "start", "lines": [[1, 2, 3]]}"#, "option-invalid"),
        (#"{"type": "start", "lines": [[1, 2, 1, 2]]}"#, "invalid-line"),
        (#"{"type": "start", "zones": [[1, 2, 3, 4]]}"#, "option-invalid"),
        (#"{"type": "start", "zones": [[0, 0, 9, 9, 9, 0, 0, 9]]}"#, "invalid-zone"),
        (
          #"{"type": "start", "task": "detect", "lines": [[0, 9, 9, 9]]}"#,
          "'lines' count followed objects, but the task is 'detect'"
        ),
        (
          #"{"type": "start", "task": "label", "zones": [[0, 0, 9, 0, 9, 9]]}"#,
          "'zones' count followed objects, but the task is 'label'"
        ),
        (
          #"{"type": "start", "model": "coarse", "lines": [[0, 9, 9, 9]]}"#,
          "'lines' count followed objects, but 'coarse' labels whole images"
        ),
        (
          #"{"type": "start", "model": "coarse", "lines": [], "zones": [[0, 0, 9, 0, 9, 9]]}"#,
          "'zones' count followed objects, but 'coarse' labels whole images"
        ),
        (#"{"type": "start", "model": "coars"}"#, "model-unknown"),
        (#"{"type": "start", "task": "label", "model": "default"}"#, "task-mismatch"),
        (#"{"type": "start", "task": "track", "model": "coarse"}"#, "task-mismatch"),
      ] {
        client.send(.text(text))
        let answer = try #require(try client.text(with: "\"sequence\""))
        #expect(answer.contains(code), "\(text): \(answer)")
      }
      client.send(.text(#"{"type": "start", "task": "detect", "lines": [], "zones": []}"#))
      #expect(try client.text(with: "ready") != nil)
      client.send(.text(#"{"type": "start", "lines": [[0, 9, 9, 9]]}"#))
      #expect(try client.text(with: "ready") != nil)
      client.send(.text(#"{"type": "change", "lines": [[5, 5, 5, 5]]}"#))
      #expect(try client.text(with: "invalid-line") != nil)
      client.send(Self.frame(1, Array("no image".utf8)))
      let error = try Self.answer(client)
      #expect(error["type"] as? String == "error" && error["sequence"] as? Int == 1)
      #expect((error["error"] as? [String: Any])?["code"] as? String == "image-unknown-format")
      client.send(Self.frame(2, image))
      let result = try Self.answer(client)
      // The old line stays.
      #expect(((result["counts"] as? [String: Any])?["lines"] as? [Any])?.count == 1)
    }
  }

  /// A client's action, and the server's close code.
  struct Bad: Sendable, CustomTestStringConvertible {
    let name: String
    var start: String? = #"{"type": "start"}"#
    let frames: [Frame]
    let code: Int
    var testDescription: String { name }
  }

  static let bad: [Bad] = [
    Bad(name: "a frame before start", start: nil, frames: [frame(1, [0])], code: 1008),
    Bad(name: "text that is no object", frames: [.text("/9j/4AAQ")], code: 1003),
    Bad(name: "a number that does not rise", frames: [frame(2, [0]), frame(2, [0])], code: 1008),
    Bad(name: "a frame without an image", frames: [Frame(2, [UInt8](repeating: 0, count: 8))], code: 1008),
    Bad(name: "a second word that is not 0", frames: [Frame(2, [1, 0, 0, 0, 1, 0, 0, 0, 9])], code: 1008),
    Bad(name: "a frame of 3 MiB", frames: [Frame(2, [UInt8](repeating: 0, count: 3 << 20))], code: 1009),
  ]

  @Test(arguments: bad)
  func `a protocol violation closes the connection, and the next request is answered`(row: Bad)
    async throws
  {
    try await RunningInference.run { server in
      let client = try Self.connect(server, start: row.start)
      for frame in row.frames { client.send(frame) }
      #expect(try client.closeCode() == row.code)
      #expect(try server.send("GET", "/livez").status == 200)
    }
  }

  @Test func `a connection over the limit is closed with 1013, and one that leaves makes room`()
    async throws
  {
    try await RunningInference.run([.embedded], { $0.maximumLive = 1 }) { server in
      var first: WebSocketClient? = try Self.connect(server)
      let second = try WebSocketClient(port: server.port, path: "/v1/live")
      #expect(try second.closeCode() == 1013)
      #expect(try server.send("GET", "/metrics").body.contains("fovea_live_connections 1\n"))
      first?.send(Frame(8, [3, 0xE8]))
      #expect(try first?.closeCode() == 1000)
      first = nil
      // The place is free once the session has ended, soon after its connection.
      var isFree = false
      let end = ContinuousClock.now + .seconds(120)
      while !isFree, ContinuousClock.now < end {
        let third = try WebSocketClient(port: server.port, path: "/v1/live")
        third.send(.text(#"{"type": "start"}"#))
        isFree = try third.text(with: "ready") != nil
      }
      #expect(isFree)
    }
  }

  @Test func `requests that are not a WebSocket are told that the route is one`() async throws {
    try await RunningInference.run([.embedded]) { server in
      let answer = try server.send("GET", "/v1/live")
      #expect(answer.status == 426 && answer.errorCode == "upgrade-required")
      #expect(answer.headers["upgrade"]?.lowercased() == "websocket")
    }
  }
}
#endif
