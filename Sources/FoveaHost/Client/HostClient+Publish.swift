// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaErrors
  internal import FoveaSystem
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
    ///   - isCancelled: Whether the check is to end without a version; asked from when the host has the file.
    /// - Returns: What became of it; a version that was published before the cancel came too.
    /// - Throws: What the host refuses, in its words; `unavailable` where it does not answer; `cancelled`.
    package func publish(
      file: String, name: String, channel: String, notes: String,
      progress: (PublishProgress) -> Void = { _ in }, isCancelled: () -> Bool = { false }
    ) async throws(HostError) -> Reply {
      try HostName.checkPublish(of: name, channel: channel, notes: notes)
      var reply = try await send(
        "POST", ["models", name, "versions"], query: [("channel", channel), ("notes", notes)],
        headers: ["Prefer: respond-async"], body: .file(file), scopes: [.publishModels])
      var shown: PublishProgress?
      var hasCancelled = false
      while true {
        let answer = try reply.decode(HostAnswer.Operation.self)
        guard let operation = answer.operation else { return reply }
        let now = answer.before.map { PublishProgress.waiting(before: $0) } ?? .checking
        if now != shown { progress(now) }
        shown = now
        for _ in 0..<10 where !isCancelled() {
          do { try await Task.sleep(for: .milliseconds(50)) } catch { throw .cancelled }
        }
        if isCancelled() {
          // The host may need a moment to end the check.
          if hasCancelled {
            do { try await Task.sleep(for: .milliseconds(200)) } catch { throw .cancelled }
          } else {
            try await cancel(operation, of: name)
            hasCancelled = true
          }
        }
        do throws(HostError) {
          reply = try await send("GET", ["operations", operation], scopes: [.publishModels])
        } catch {
          guard hasCancelled, error.code == .cancelled else { throw error }
          throw HostError(
            .cancelled, "Cancelled: nothing was published",
            remedy: "Publish the file again if it is still wanted")
        }
      }
    }

    /// Asks the host to end the check of a publish; its operation shows whether that came in time.
    private func cancel(_ operation: String, of name: String) async throws(HostError) {
      do throws(HostError) {
        _ = try await send("POST", ["operations", operation + ":cancel"], scopes: [.publishModels])
      } catch {
        throw HostError(
          error.code, "The host may go on with the publish, as the cancel has failed: \(error.message)",
          remedy:
            "See whether '\(name.printable)' has a new version later: fovea host show \(name.printable)",
          cause: error)
      }
    }
  }
#endif
