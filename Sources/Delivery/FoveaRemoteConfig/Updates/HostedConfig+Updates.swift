// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaModels
import Synchronization

/// An update of the configuration that has been fetched; call ``HostedConfig/activate()`` to apply it.
public struct ConfigUpdate: Sendable, Hashable {
  /// The parameters whose values differ from the active ones, including removed ones.
  public let keys: Set<String>
}

extension HostedConfig {
  /// Returns the updates that the host publishes while the stream is read.
  ///
  /// A single connection waits for updates; when it ends, it is reopened after a pause that grows with each
  /// failure. A failed connection or fetch is delivered as an element, and the stream continues. The stream
  /// ends within 0.2 s after the task that reads it is cancelled.
  public func updates() -> AsyncStream<Result<ConfigUpdate, ConfigError>> {
    AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
      let task = Task {
        await listen(continuation)
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func listen(_ listener: AsyncStream<Result<ConfigUpdate, ConfigError>>.Continuation) async {
    var failures = 0
    while !Task.isCancelled {
      let (versions, sender) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
      let connection = Task { await connect(sender) }
      await withTaskCancellationHandler {
        for await version in versions {
          failures = 0
          await update(to: version, listener)
        }
      } onCancel: {
        connection.cancel()
      }
      let failure = await connection.value
      guard !Task.isCancelled else { return }
      if let failure {
        failures += 1
        listener.yield(.failure(failure))
      } else {
        failures = 0
      }
      // 1 s, then twice as long each time up to about four minutes, randomly shortened by up to half.
      let pause = Double(1 << min(failures, 8)) * (0.5 + surroundings.random() / 2)
      do { try await surroundings.sleep(.seconds(pause)) } catch { return }
    }
  }

  /// Waits for messages until the connection ends.
  /// - Returns: The error of the connection; nil if it ended normally.
  private func connect(_ sender: AsyncStream<Int>.Continuation) async -> ConfigError? {
    defer { sender.finish() }
    let (options, known) = state.withLock { ($0.options, $0.record.fetched?.version ?? 0) }
    do throws(ConfigError) {
      let address = try place.address("namespaces/firebase:streamFetchInvalidations")
      let body = FetchRequest.stream(options, installation: try place.installation(), known: known)
      var transfer = surroundings.post(body, to: address, timeout: .seconds(330))
      transfer.connectTimeout = .seconds(20)
      let receiver = UpdateReceiver { sender.yield($0) }
      let outcome: HTTPTransfer.Outcome
      do throws(TransferError) { outcome = try await transfer.run(into: receiver) } catch {
        throw ConfigError(error)
      }
      guard outcome.head.status == 200 else { return HTTPAnswer(outcome: outcome, body: []).failure(address) }
      return nil
    } catch {
      return error
    }
  }

  /// Fetches until the host returns that version, at most three times.
  private func update(
    to version: Int, _ listener: AsyncStream<Result<ConfigUpdate, ConfigError>>.Continuation
  ) async {
    for attempt in 0..<3 {
      guard state.withLock({ $0.record.fetched?.version ?? 0 }) < version else { break }
      do throws(ConfigError) { try await fetch(ifOlderThan: .zero) } catch {
        listener.yield(.failure(error))
        return
      }
      if attempt > 0 {
        do { try await surroundings.sleep(.seconds(surroundings.random() * 3)) } catch { return }
      }
    }
    let keys = state.withLock { state in
      let (new, old) = (state.record.fetched?.entries ?? [:], state.record.active?.entries ?? [:])
      return Set(new.keys).union(old.keys).filter { new[$0] != old[$0] }
    }
    if !keys.isEmpty { listener.yield(.success(ConfigUpdate(keys: keys))) }
  }
}
