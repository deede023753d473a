// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaModels
import Synchronization

extension HostClient {
  /// The progress of a publish whose file the host has received.
  package enum PublishProgress: Sendable, Equatable {
    /// Waits for at most this many checks.
    case waiting(before: Int)
    case checking
  }

  /// Makes a file the next version of a model, and points a channel at it.
  /// - Parameters:
  ///   - file: The path of the file.
  ///   - name: The name of the model.
  ///   - channel: The channel.
  ///   - notes: The release notes of the version.
  ///   - progress: Called when the host reports new progress of the check.
  ///   - isCancelled: Returns whether to stop without publishing a version; polled until the end.
  /// - Returns: The result; also a version published before the cancellation arrived.
  /// - Throws: The host's refusal, in its own words; `invalid` for a name, channel or notes that are not
  ///   allowed; `unavailable` if it does not answer, stating whether the file may be published; `cancelled`.
  package func publish(
    file: String, name: String, channel: String, notes: String,
    progress: (PublishProgress) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) async throws(HostError) -> Reply {
    try HostName.checkPublish(of: name, channel: channel, notes: notes)
    var reply = try await firstAnswer(
      to: file, of: name, query: [("channel", channel), ("notes", notes)], isCancelled: isCancelled)
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
        if error.cause is NoAnswer { throw HostClient.unknown(name, after: error) }
        guard hasCancelled, error.code == .cancelled else { throw error }
        throw .nothingPublished("file")
      }
    }
  }

  /// Sends the file and waits for the host's first answer; a cancellation ends both at once.
  private func firstAnswer(
    to file: String, of name: String, query: [(name: String, value: String)], isCancelled: () -> Bool
  ) async throws(HostError) -> Reply {
    let answer = FirstAnswer()
    let sending = Task<Void, Never> {
      do throws(HostError) {
        let first = try await reply(
          to: "POST", ["models", name, "versions"], query: query, headers: ["Prefer: respond-async"],
          body: .file(file), scopes: [.publishModels])
        answer.set(.success(first))
      } catch {
        let mayBePublished = (error.cause as? NoAnswer)?.mayHaveActed == true
        answer.set(.failure(mayBePublished ? HostClient.unknown(name, after: error) : error))
      }
    }
    while !isCancelled() {
      if let result = answer.result { return try result.get() }
      do { try await Task.sleep(for: .milliseconds(20)) } catch {
        sending.cancel()
        throw .cancelled
      }
    }
    sending.cancel()
    await sending.value
    // The answer may have arrived at the same moment; it names the operation to cancel.
    if case .success(let reply)? = answer.result { return reply }
    throw HostError(
      .cancelled,
      "Cancelled before the host answered; the host drops the file unless it is already published",
      remedy: "Check whether '\(name)' has a new version: \(call: "host show \(name)")")
  }

  /// Returns the error for a publish whose host no longer responds, even if the publish was cancelled.
  private static func unknown(_ name: String, after error: HostError) -> HostError {
    HostError(
      .unavailable, "\(error.message); the file may have been published",
      remedy:
        "When the host runs again, check whether '\(name)' has a new version: \(call: "host show \(name)")",
      cause: error)
  }

  /// Requests the end of a publish's check; the operation shows whether that was in time.
  private func cancel(_ operation: String, of name: String) async throws(HostError) {
    do throws(HostError) {
      _ = try await reply(to: "POST", ["operations", operation + ":cancel"], scopes: [.publishModels])
    } catch {
      throw HostError(
        error.code, "The publish may continue, because cancelling it failed: \(error.message)",
        remedy:
          "Check later whether '\(name.printable)' has a new version: \(call: "host show \(name.printable)")",
        cause: error)
    }
  }
}

/// The result of sending a file, once it is known.
private final class FirstAnswer: Sendable {
  private let state = Mutex<Result<HostClient.Reply, HostError>?>(nil)

  var result: Result<HostClient.Reply, HostError>? { state.withLock { $0 } }

  func set(_ result: Result<HostClient.Reply, HostError>) { state.withLock { $0 = result } }
}
#endif
