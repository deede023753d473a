// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaFormats
import FoveaHTTP
import FoveaImage
import FoveaCore
import HTTPTypes

/// A connection of `/v1/live`, from its first message to its end.
///
/// One task reads, another processes one frame after the other. Between them one frame is buffered, the
/// newest.
struct LiveSession: Sendable {
  let connection: LiveConnection
  let registry: ModelRegistry
  let scheduler: Scheduler
  /// Reads long messages.
  let bodies: BodyWork
  let metrics: Metrics
  /// The time limit for a frame, including its wait.
  let deadline: Duration
  let limits: ImageLimits
  /// The largest message, as announced by `ready`.
  let maximumBytes: Int
  /// The client whose queue its frames wait in, with the client's other requests.
  let name: String

  func run() async {
    let place = Mailbox<LiveFrame>(.bufferingNewest(1))
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await read(into: place) }
      group.addTask { await work(on: place) }
      // When either ends, the connection has ended and the other's frame is useless.
      await group.next()
      group.cancelAll()
    }
  }

  // MARK: Reading

  private func read(into place: Mailbox<LiveFrame>) async {
    let start = ContinuousClock.now
    var present: (settings: LiveSettings, model: ServedModel)?
    var last: UInt32?
    while let message = await connection.next() {
      do {
        switch message {
        case .text(let text):
          guard text.first == "{" else {
            return connection.close(.wrongKind("text messages are JSON objects, frames are binary"))
          }
          present = try await take(text, present: present) ?? present
        case .bytes(let bytes):
          guard let known = present else {
            return connection.close(.policy("a frame was sent before 'start'"))
          }
          guard let parts = LiveFrame.parts(bytes) else {
            return connection.close(.policy("a frame starts with its number and four zero bytes"))
          }
          if let last, parts.sequence <= last {
            return connection.close(.policy("frame numbers must increase"))
          }
          last = parts.sequence
          guard let model = try await model(of: known, for: parts.sequence) else { continue }
          present = (known.settings, model)
          let frame = LiveFrame(
            sequence: parts.sequence, image: parts.image, settings: known.settings, model: model,
            seconds: (ContinuousClock.now - start).seconds)
          guard case .dropped(let old) = place.put(frame) else { continue }
          count("dropped")
          try await connection.send(LiveReply.dropped(old.sequence))
        }
      } catch {
        return
      }
    }
  }

  /// Returns the named model, or the first with the task.
  private func model(for settings: LiveSettings) async throws -> ServedModel {
    try await registry.model(settings.model, for: settings.task?.ofModels, within: deadline)
  }

  /// Returns the model as it is loaded now, for the next frame; notifies the client of a change.
  /// - Returns: Nil if the model is no longer served, which is the answer to the frame.
  private func model(
    of known: (settings: LiveSettings, model: ServedModel), for sequence: UInt32
  ) async throws -> ServedModel? {
    do {
      let model = try await model(for: known.settings)
      if !model.isSameLoad(as: known.model) {
        try await connection.send(
          LiveReply.settings(.change, known.settings, model, maximumBytes: maximumBytes))
      }
      return model
    } catch let refusal as Refusal {
      count("error")
      try await connection.send(LiveReply.error(sequence, refusal))
      return nil
    }
  }

  /// Processes a text message.
  /// - Returns: The settings from now on; nil for an invalid text, whose error is sent to the client.
  private func take(
    _ text: String, present: (settings: LiveSettings, model: ServedModel)?
  ) async throws -> (settings: LiveSettings, model: ServedModel)? {
    do {
      let settings = present?.settings
      let request = try await bodies.run(on: text.utf8.count, for: name, within: deadline) {
        try LiveRequest(text, present: settings)
      }
      let model = try await model(for: request.settings)
      try request.check(with: model)
      _ = try request.settings.counters()
      try await request.settings.check(with: model)
      try await connection.send(
        LiveReply.settings(request.kind, request.settings, model, maximumBytes: maximumBytes))
      return (request.settings, model)
    } catch let refusal as Refusal {
      try await connection.send(LiveReply.error(nil, refusal))
    } catch let error as FoveaError {
      try await connection.send(LiveReply.error(nil, error.refusal))
    }
    return nil
  }

  // MARK: Working

  private func work(on place: Mailbox<LiveFrame>) async {
    let follower = CallState(FrameFollower())
    while let frame = await place.take() {
      do {
        let done = try await scheduler.run(for: name, within: deadline) {
          try await follower.change { await answer(frame, &$0) }
        }
        metrics.observe("fovea_queue_seconds", seconds: done.waited.seconds)
        try await send(done.value, for: frame)
      } catch let refusal as Refusal {
        count("error")
        guard (try? await connection.send(LiveReply.error(frame.sequence, refusal))) != nil else { return }
      } catch {
        return
      }
    }
  }

  /// Returns a frame's answer or its error; the follower keeps its state either way.
  private func answer(
    _ frame: LiveFrame, _ follower: inout FrameFollower
  ) async -> Result<LiveAnswer, any Error> {
    do { return .success(try await follower.answer(frame, limits)) } catch { return .failure(error) }
  }

  private func send(_ answer: Result<LiveAnswer, any Error>, for frame: LiveFrame) async throws {
    switch answer {
    case .success(let answer):
      count("result")
      metrics.observe(answer.timings)
      try await connection.send(
        LiveReply.result(frame.sequence) { json in
          switch answer {
          case .frame(let record, let notes):
            record.appendMembers(to: &json, masks: frame.settings.masks)
            if !notes.isEmpty { json.member("notes", notes) }
          case .labels(let findings):
            json.member("image", "-")
            findings.appendMembers(to: &json)
          }
        })
    case .failure(let error as FoveaError): throw frame.model.texts.concealed(error).refusal
    case .failure(let error): throw error
    }
  }

  private func count(_ outcome: String) { metrics.add("fovea_live_frames_total", ["outcome", outcome]) }
}

/// A frame of a live connection, with the settings it was sent under.
struct LiveFrame: Sendable {
  /// The client's number for the frame, which increases.
  let sequence: UInt32
  /// An encoded image.
  let image: [UInt8]
  let settings: LiveSettings
  let model: ServedModel
  /// The time of arrival, in seconds since the connection's session started.
  let seconds: Double

  /// The number of bytes before the image: the sequence and a zero word, both little endian.
  static let headerCount = 8

  /// Returns the sequence and the image of a message; nil if it is too short or its second word is not 0.
  static func parts(_ message: [UInt8]) -> (sequence: UInt32, image: [UInt8])? {
    guard message.count > headerCount, message[4..<headerCount].allSatisfy({ $0 == 0 }) else { return nil }
    let sequence = message[..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return (sequence, Array(message[headerCount...]))
  }
}
#endif
