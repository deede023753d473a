// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaErrors
  internal import FoveaTransfer

  extension HostClient {
    /// How far a publish is whose file the host has.
    package enum PublishProgress: Sendable, Equatable {
      /// It waits for so many checks at most.
      case waiting(before: Int)
      case checking
    }

    /// Makes a file the next version of a model, and points a channel at it.
    /// - Parameters:
    ///   - file: The path of the file.
    ///   - name: The name of the model.
    ///   - channel: The channel.
    ///   - notes: What is new in the version.
    ///   - progress: Called each time that the host has another answer on how far the check is.
    /// - Returns: What became of it.
    /// - Throws: What the host refuses, in its words; `unavailable` where it does not answer.
    package func publish(
      file: String, name: String, channel: String, notes: String,
      progress: (PublishProgress) -> Void = { _ in }
    ) async throws(HostError) -> Reply {
      var reply = try await send(
        "POST", ["models", name, "versions"], query: [("channel", channel), ("notes", notes)],
        headers: ["Prefer: respond-async"], body: .file(file), scopes: [.publishModels])
      var shown: PublishProgress?
      while true {
        let answer = try reply.decode(HostAnswer.Operation.self)
        guard let operation = answer.operation else { return reply }
        let now = answer.before.map { PublishProgress.waiting(before: $0) } ?? .checking
        if now != shown { progress(now) }
        shown = now
        do { try await Task.sleep(for: .milliseconds(500)) } catch { throw .cancelled }
        reply = try await send("GET", ["operations", operation], scopes: [.publishModels])
      }
    }
  }
#endif
