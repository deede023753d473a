// SPDX-License-Identifier: Apache-2.0
#if Server

/// A publisher apart from its input and output: what it sends over one connection after another.
///
/// Each connection begins with discovery, the status and the state of all sources. Events follow in the order
/// of their numbers; those that the last connection left unacknowledged are sent again.
struct MQTTClient: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// The packets to send, and what has changed.
  struct Step: Sendable {
    var packets: [MQTTPacket] = []
    /// The events that the broker has now, the oldest first.
    var delivered: [EventLine] = []
    /// True once, when the broker has removed the messages about sources that have gone.
    var hasCleaned = false
  }

  /// The time at the end for events that are not acknowledged yet.
  private static let patience = Duration.seconds(2)

  private let topics: MQTTTopics
  private let login: MQTTLogin
  /// The messages with which a connection begins, before those about sources.
  private let greeting: [MQTTMessage]
  /// The topics of sources that have gone, whose messages the broker should remove.
  private var gone: [String]
  private var reports: [MQTTSourceReport]
  /// The newest image of each source that has one.
  private var images: [String: MQTTMessage] = [:]
  private var session: MQTTSession?
  /// The events that are not acknowledged; the first `sent` were sent over this connection.
  private var lines: [EventLine] = []
  private var sent = 0
  /// The highest number that was sent over any connection.
  private var highest = 0
  /// The highest number that was added.
  private var newest: Int
  /// The moment of `finish`, and the last event to send.
  private var end: (moment: Instant, last: Int)?
  private var hasSaidGoodbye = false
  /// The moment at which the broker accepted the login; nil without a connection.
  private(set) var accepted: Instant?
  /// True after `finish` if everything was sent.
  private(set) var isOver = false

  /// Creates a client.
  /// - Parameters:
  ///   - options: The broker and the topics.
  ///   - sources: The sources.
  ///   - gone: The topics of retained messages about sources that have gone.
  ///   - newest: The number of the newest event at the start.
  init(_ options: MQTTOptions, _ sources: [StreamEntry], gone: [String] = [], newest: Int = 0) {
    let topics = options.topics
    self.topics = topics
    self.gone = gone
    self.newest = newest
    login = MQTTLogin(
      client: topics.client, will: MQTTMessage(topic: topics.status, payload: "offline"),
      user: options.user, password: options.password)
    greeting =
      sources.compactMap { source in
        topics.discovery(of: source.name).map {
          MQTTMessage(
            topic: $0,
            payload: MQTTDiscovery(topics: topics, source: source, hasSnapshots: options.hasSnapshots).text)
        }
      } + [MQTTMessage(topic: topics.status, payload: "online")]
    reports = sources.map { MQTTSourceReport(topics, $0) }
  }

  /// The number of events that are not acknowledged.
  var waiting: Int { lines.count }

  // MARK: Connections

  /// Opens a connection.
  mutating func open(at now: Instant) {
    var session = MQTTSession(login, at: now)
    for topic in gone { session.put(MQTTMessage(topic: topic, payload: "")) }
    for message in greeting { session.put(message) }
    for (_, message) in images.sorted(by: { $0.key < $1.key }) { session.put(message) }
    self.session = session
    sent = 0
    for index in reports.indices { reports[index].restart() }
  }

  /// Closes a connection.
  mutating func close() { (session, accepted) = (nil, nil) }

  /// Processes bytes of the broker.
  /// - Throws: The end of the connection.
  mutating func receive(_ bytes: some Sequence<UInt8>, at now: Instant) throws(MQTTEnd) {
    try session?.receive(bytes, at: now)
    if accepted == nil, session?.isAccepted == true { accepted = now }
  }

  /// Throws `MQTTEnd.silent` if the broker has not answered for too long.
  func check(at now: Instant) throws(MQTTEnd) { try session?.check(at: now) }

  // MARK: Messages

  /// Adds events, the oldest first.
  mutating func add(_ events: [EventLine]) {
    lines += events
    newest = events.last?.number ?? newest
  }

  /// Adds the newest image of a source; one of a source that has gone is not sent.
  mutating func show(_ jpeg: [UInt8], of source: String) {
    guard reports.contains(where: { $0.source.name == source }) else { return }
    let message = MQTTMessage(topic: topics.topic(source, "snapshot"), image: jpeg)
    images[source] = message
    session?.put(message)
  }

  /// Adds the messages about the sources that have become necessary; the readings are in their order.
  mutating func report(_ readings: [StreamReading], at now: Instant) {
    guard session != nil, end == nil else { return }
    for (index, reading) in zip(reports.indices, readings) {
      for message in reports[index].messages(about: reading, at: now) { session?.put(message) }
    }
  }

  /// Sends what is left up to an event, and that the server is offline.
  mutating func finish(with last: Int, at now: Instant) { end = (now, last) }

  /// Returns what is to be sent now.
  mutating func step(at now: Instant) -> Step {
    guard var session else { return Step() }
    self.session = nil
    defer { self.session = session }
    var step = Step()
    if let number = session.acknowledged {
      step.delivered = Array(lines.prefix { $0.number <= number })
      lines.removeFirst(step.delivered.count)
      sent -= step.delivered.count
    }
    if !gone.isEmpty, session.isIdle { (gone, step.hasCleaned) = ([], true) }
    step.packets = session.take(at: now)
    for line in lines.dropFirst(sent).prefix(session.room) {
      let topic = topics.topic(line["source"] ?? "unknown", "events")
      session.send(
        MQTTMessage(topic: topic, payload: line.text, isRetained: false), number: line.number,
        isRepeated: line.number <= highest)
      (sent, highest) = (sent + 1, max(highest, line.number))
    }
    if let end, session.isAccepted { finish(&session, end, at: now, &step) }
    step.packets += session.take(at: now)
    if isOver { step.packets.append(.disconnect) }
    return step
  }

  private mutating func finish(
    _ session: inout MQTTSession, _ end: (moment: Instant, last: Int), at now: Instant, _ step: inout Step
  ) {
    let hasAll = lines.isEmpty && newest >= end.last
    if hasSaidGoodbye {
      isOver = session.isIdle
    } else if hasAll || now - end.moment > Self.patience {
      for report in reports {
        session.put(MQTTMessage(topic: topics.topic(report.source.name, "status"), payload: "offline"))
      }
      session.put(MQTTMessage(topic: topics.status, payload: "offline"))
      hasSaidGoodbye = true
    }
  }
}
#endif
