// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Logging
import NIOCore
import Synchronization

/// Publishes the events and states of sources at a broker, and connects again however often it goes away.
final class MQTTPublisher: Sendable {
  private struct State {
    var client: MQTTClient
    /// Wakes the task that sends; nil without a connection.
    var wake: Mailbox<Void>?
    /// True if the log has that the server is connected.
    var isLogged = false
  }

  private let options: MQTTOptions
  private let sources: [StreamSource]
  private let journal: EventJournal
  private let output: EventOutput
  private let published: MQTTPublished
  private let logger: Logger
  private let state: Mutex<State>
  /// A value for each time that events were acknowledged.
  private let room = Mailbox<Void>(.bufferingNewest(1))

  /// The time between two readings of the sources.
  private static let interval = Duration.milliseconds(250)

  /// Creates a publisher.
  /// - Parameters:
  ///   - options: The broker.
  ///   - sources: The sources.
  ///   - journal: The events.
  ///   - logger: The log for what the operator has to know about the connection.
  init(_ options: MQTTOptions, _ sources: [StreamSource], _ journal: EventJournal, logger: Logger) {
    self.options = options
    self.sources = sources
    self.journal = journal
    self.logger = logger
    output = EventOutput("mqtt", of: journal)
    let entries = sources.map(\.entry)
    published = MQTTPublished(
      folder: journal.options.folder,
      current: entries.flatMap {
        options.topics.retained(of: $0.name, withSnapshot: options.hasSnapshots)
      },
      logger: logger)
    state = Mutex(
      State(client: MQTTClient(options, entries, gone: published.gone, newest: journal.next - 1)))
    if options.exposesPassword {
      logger.warning(
        "the password of the MQTT broker is sent without encryption",
        metadata: ["broker": "\(options.address)", "remedy": "Use mqtts:// in the address"])
    }
  }

  /// Publishes until the task is cancelled, or everything is sent after `finish`.
  func run() async {
    let reading = Task { await read() }
    defer { reading.cancel() }
    var attempts = MQTTAttempts()
    while !Task.isCancelled {
      let (end, lasted) = await connect()
      guard let end, !Task.isCancelled else { return }
      let attempt = attempts.ended(end, after: lasted)
      if attempt.isNew { warn("not connected to the MQTT broker", end.message, end.remedy) }
      if attempt.isDisputed {
        warn(
          "the MQTT broker ended five connections within 10 seconds of their start",
          "another client may have the id '\(options.topics.client)'", "Give each server its own node")
      }
      // Servers that lost the same broker do not return at the same moment.
      try? await Task.sleep(for: attempt.delay * Double.random(in: 0.75...1.25))
    }
  }

  /// Sends what is left and that the server is offline, and ends the task of `run`.
  func finish(_ running: Task<Void, Never>, within limit: Duration) async {
    let last = journal.next - 1
    let wake = state.withLock { state in
      state.client.finish(with: last, at: .now)
      return state.wake
    }
    if let wake {
      wake.put(())
      await running.finished(within: limit)
    }
    running.cancel()
  }

  // MARK: Connections

  /// Connects once.
  /// - Returns: The end of the connection, nil after everything was sent; and the time since the login, nil
  ///   if there was none.
  private func connect() async -> (end: MQTTEnd?, lasted: Duration?) {
    var end: MQTTEnd?
    do {
      let channel = try await MQTTConnection(options: options).open()
      let wake = Mailbox<Void>(.bufferingNewest(1))
      let readings = sources.map(\.reading)
      state.withLock { state in
        state.client.open(at: .now)
        state.client.report(readings, at: .now)
        state.wake = wake
      }
      try await channel.executeThenClose { inbound, outbound in
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { [self] in try await receive(inbound, wake) }
          group.addTask { [self] in try await watch(wake) }
          group.addTask { [self] in try await send(outbound, wake) }
          defer { group.cancelAll() }
          try await group.next()
        }
      }
    } catch {
      end = MQTTConnection.end(error)
    }
    return state.withLock { state in
      let accepted = state.client.accepted
      state.client.close()
      state.wake = nil
      return (state.client.isOver ? nil : end ?? .closed, accepted.map { .now - $0 })
    }
  }

  private func receive(
    _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ wake: Mailbox<Void>
  ) async throws {
    for try await bytes in inbound {
      let isNew = try state.withLock { (state) throws(MQTTEnd) in
        try state.client.receive(bytes.readableBytesView, at: .now)
        defer { state.isLogged = state.isLogged || state.client.accepted != nil }
        return !state.isLogged && state.client.accepted != nil
      }
      if isNew { logger.info("connected to the MQTT broker", metadata: ["broker": "\(options.address)"]) }
      wake.put(())
    }
    throw MQTTEnd.closed
  }

  /// Reads the sources, and checks that the broker answers, at regular times.
  private func watch(_ wake: Mailbox<Void>) async throws {
    while true {
      try await Task.sleep(for: MQTTPublisher.interval)
      let readings = sources.map(\.reading)
      try state.withLock { (state) throws(MQTTEnd) in
        try state.client.check(at: .now)
        state.client.report(readings, at: .now)
      }
      wake.put(())
    }
  }

  private func send(
    _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>, _ wake: Mailbox<Void>
  ) async throws {
    repeat {
      let (step, isOver) = state.withLock { ($0.client.step(at: .now), $0.client.isOver) }
      if !step.packets.isEmpty {
        do { try await outbound.write(ByteBuffer(bytes: step.packets.flatMap(\.bytes))) } catch {
          // Reading reports the reason, such as an untrusted certificate.
          try await Task.sleep(for: .seconds(1))
          throw error
        }
      }
      for line in step.delivered { await output.pass(line, as: .sent) }
      if !step.delivered.isEmpty { room.put(()) }
      if step.hasCleaned { await BlockingWork.run { [published] _ in published.forgetGone() } }
      if isOver { return }
    } while await wake.take() != nil
  }

  /// Adds the events of the journal, about a hundred at a time.
  private func read() async {
    while let lines = await output.next() {
      if options.hasSnapshots { await show(lines) }
      let wake = state.withLock { state in
        state.client.add(lines)
        return state.wake
      }
      wake?.put(())
      while state.withLock({ $0.client.waiting }) > MQTTSession.window {
        guard await room.take() != nil else { return }
      }
    }
  }

  /// Adds the image of the last `start` or `end` of each source in some events.
  private func show(_ lines: [EventLine]) async {
    var ids: [String: String] = [:]
    for line in lines where line["snapshot"] != nil && (line.isStart || line.isEnd) {
      if let source = line["source"], let id = line["id"] { ids[source] = id }
    }
    guard !ids.isEmpty else { return }
    let images = await BlockingWork.run { [journal, ids] _ in
      ids.compactMapValues { id -> [UInt8]? in
        do throws(SystemError) { return try journal.snapshots.jpeg(of: id) } catch {
          journal.logger.warning(
            "the image of an event is not published", metadata: ["id": "\(id)", "error": "\(error.message)"])
          return nil
        }
      }
    }
    state.withLock { state in
      for (source, jpeg) in images { state.client.show(jpeg, of: source) }
    }
  }

  private func warn(_ event: String, _ reason: String, _ remedy: String) {
    state.withLock { $0.isLogged = false }
    logger.warning(
      "\(event)",
      metadata: ["broker": "\(options.address)", "error": "\(reason)", "remedy": "\(remedy)"])
  }
}
#endif
