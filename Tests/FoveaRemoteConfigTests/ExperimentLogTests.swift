// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaModels
import FoveaTesting
import Synchronization
import Testing

@testable import FoveaRemoteConfig

@Suite(.timeLimit(.minutes(5))) struct ExperimentLogTests {
  private func failure(_ log: ExperimentLog) async -> ConfigError? {
    do throws(ConfigError) {
      try await log.send()
      return nil
    } catch {
      return error
    }
  }

  @Test func `nothing is sent if nothing is logged, and events once`() async throws {
    let host = try ConfigHost()
    let log = try host.log()
    #expect(try await log.send() == EventReport())
    #expect(host.server.connections == 0)
    try log.exposure(experiment: "birds-2", variant: "b")
    try log.exposure(experiment: "birds-2", variant: "b")
    try log.metric("confirmed", value: 2.5)
    #expect(try log.waiting() == (2, 0))
    #expect(try await log.send().taken == 2)
    #expect(try await log.send().taken == 0)
    let body = try #require(host.with { $0.events }.first)
    #expect(host.with { $0.events.count } == 1)
    #expect(body.contains("\"kind\": \"exposure\", \"experiment\": \"birds-2\""))
    #expect(body.contains("\"value\": 2.5, \"time\": \"1970-01-12T13:46:40.000Z\"}"))
  }

  @Test func `events survive a restart, an absent host and a line truncated by a kill`() async throws {
    let host = try ConfigHost()
    let folder = try #require(host.folder)
    try host.log().exposure(experiment: "e", variant: "a")
    host.with { $0.eventReply = .init(status: 503) }
    #expect(await failure(try host.log())?.code == .throttled)
    let log = try host.log()
    #expect(try log.waiting() == (1, 0))
    let name = ".hosted/" + log.file.name
    try folder.write(name, try folder.read(name) + "{\"id\": \"cut")
    try log.metric("m")
    #expect(try log.waiting() == (2, 0))
    host.with { $0.eventReply = nil }
    #expect(try await log.send().taken == 2)
    #expect(try folder.read(name) == "")
  }

  @Test(arguments: [499, 500, 501, 1_250]) func `a request has at most 500 events`(_ count: Int) async throws
  {
    let host = try ConfigHost()
    let log = try host.log()
    var lines = ""
    for index in 0..<count {
      let id = String(repeating: "0", count: 12) + String(10_000 + index)
      lines += "{\"id\": \"\(id)\", \"kind\": \"metric\", \"name\": \"m\", \"unit\": \"u\", \"value\": 1}\n"
    }
    try #require(host.folder).write(".hosted/" + log.file.name, lines)
    #expect(try await log.send().taken == count)
    #expect(host.with { $0.events.count } == (count + 499) / 500)
  }

  @Test func `a full file drops the oldest events and counts them`() async throws {
    let host = try ConfigHost()
    let log = try host.log()
    let lines = (0...EventFile.mostEvents).map { "{\"id\": \"\(100_000 + $0)\"}\n" }.joined()
    let folder = try #require(host.folder)
    try folder.write(".hosted/" + log.file.name, lines)
    try log.metric("last")
    let content = try log.file.read()
    #expect(content.events.count + content.dropped == EventFile.mostEvents + 2)
    #expect(content.dropped == 1_001)
    #expect(content.events.first?.id == "101001")
    #expect(content.events.last?.json.contains("last") == true)
    try log.metric("more")
    #expect(try log.waiting().dropped == 1_001)
  }

  @Test func `an event that the host rejects is found, and the others are sent`() async throws {
    let host = try ConfigHost()
    host.with { $0.eventReply = .init(status: 400) }
    let log = try host.log()
    for index in 0..<3 { try log.metric("m\(index)") }
    let report = try await log.send()
    #expect(report.refused.count == 3 && report.taken == 0)
    #expect(try log.waiting() == (0, 0))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity]) func `a value that is not a number is rejected`(
    _ value: Double
  ) throws {
    let host = try ConfigHost()
    // The log would create a folder that is already removed.
    defer { withExtendedLifetime(host) {} }
    let log = try host.log()
    let error = #expect(throws: ConfigError.self) { try log.metric("m", value: value) }
    #expect(error?.code == .invalidOption)
  }

  @Test func `a text that is empty or too long, and a missing user, are rejected`() throws {
    let host = try ConfigHost()
    let log = try host.log()
    for name in ["", String(repeating: "a", count: 257)] {
      #expect(throws: ConfigError.self) { try log.metric(name) }
    }
    #expect(throws: ConfigError.self) { try log.metric("m", unit: .user) }
    try host.log(user: "u1").metric("m", unit: .user)
    #expect(try log.waiting().events == 1)
  }

  @Test func `a full disk is an error, and existing events stay`() throws {
    let folder = try TemporaryFolder()
    try folder.write(".hosted/.keep", "")
    try folder.link(".hosted/full", to: "/dev/full")
    let data = try HostData(folder: folder.path)
    let error = #expect(throws: ModelStoreError.self) { try data.append([1, 2], to: "full") }
    #expect(error?.code == .diskFull)
  }

  /// The pauses of a log, the last of which never ends.
  private final class Pauses: Sendable {
    private let state = Mutex<(all: [Duration], most: Int)>(([], 0))

    init(_ most: Int) { state.withLock { $0.most = most } }

    var all: [Duration] { state.withLock { $0.all } }

    func sleep(_ duration: Duration) async throws {
      let isLast = state.withLock { state in
        state.all.append(duration)
        return state.all.count >= state.most
      }
      if isLast { try await Task.sleep(for: .seconds(3_600)) }
    }
  }

  @Test(
    arguments: [
      (.init(status: 503), [1, 10, 20, 40]),
      (.init(status: 429, headers: ["Retry-After": "25"]), [1, 25, 25, 40]),
      (.init(status: 429, headers: ["Retry-After": "99999999"]), [1, 14_400, 14_400, 14_400]),
      (.init(status: 403), [1, 10, 20, 40]),
    ] as [(LoopbackServer.Reply, [Int])])
  func `a host that does not accept events is asked again, later each time`(
    _ reply: LoopbackServer.Reply, _ expected: [Int]
  ) async throws {
    let host = try ConfigHost()
    host.with { $0.eventReply = reply }
    let pauses = Pauses(expected.count)
    var surroundings = host.surroundings
    surroundings.sleep = { try await pauses.sleep($0) }
    let log = try ExperimentLog(
      host: HostAddress(host.address), folder: host.path, user: nil, pause: .seconds(1), in: surroundings)
    try log.metric("m")
    try await waitUntil("the last pause starts") { pauses.all.count == expected.count }
    #expect(pauses.all == expected.map { .seconds($0) })
    #expect(try log.waiting() == (1, 0))
  }

  @Test func `after an accepted event the usual pause applies again`() async throws {
    let host = try ConfigHost()
    host.with { $0.eventReply = .init(status: 503) }
    let pauses = Pauses(4)
    var surroundings = host.surroundings
    surroundings.sleep = { duration in
      if pauses.all.count == 2 { host.with { $0.eventReply = nil } }
      try await pauses.sleep(duration)
    }
    let log = try ExperimentLog(
      host: HostAddress(host.address), folder: host.path, user: nil, pause: .seconds(1), in: surroundings)
    try log.metric("m")
    try await waitUntil("it is sent") { host.with { $0.events.count } == 1 }
    try await waitUntil("the file is empty") { (try? log.waiting().events) == 0 }
    // Entries logged before the sending has ended go with it, without a pause.
    try await waitUntil("the next pause starts") {
      if (try? log.waiting().events) == 0 { try? log.metric("m") }
      return pauses.all.count == 4
    }
    #expect(pauses.all == [1, 10, 20, 1].map { .seconds($0) })
  }

  @Test func `two logs of one folder lose no event and repeat no id`() async throws {
    let host = try ConfigHost()
    let logs = [try host.log(), try host.log()]
    try await withThrowingTaskGroup { group in
      for number in 0..<8 {
        group.addTask { for _ in 0..<25 { try logs[number % 2].metric("m\(number)") } }
      }
      try await group.waitForAll()
    }
    let events = try logs[0].file.read().events
    #expect(events.count == 200)
    #expect(Set(events.map(\.id)).count == 200)
    async let first = logs[0].send()
    async let second = logs[1].send()
    #expect(try await first.taken + second.taken == 200)
    #expect(try logs[1].waiting() == (0, 0))
  }
}
