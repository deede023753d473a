// SPDX-License-Identifier: Apache-2.0

import FoveaModels
import FoveaTesting
import Synchronization
import Testing

@testable import FoveaRemoteConfig

/// Callers who fetch at the same time.
@Suite(.timeLimit(.minutes(5))) struct SharedFetchTests {
  /// Holds requests until they are released, and counts them.
  private final class Gate: Sendable {
    private struct State {
      var isOpen = true
      var asked = 0
      var cancelled = 0
    }

    private let state = Mutex(State())

    var asked: Int { state.withLock { $0.asked } }
    var cancelled: Int { state.withLock { $0.cancelled } }
    func close() { state.withLock { $0.isOpen = false } }
    func open() { state.withLock { $0.isOpen = true } }

    func send(_ transfer: HTTPTransfer, _ limit: Int) async throws(TransferError) -> FoveaModels.HTTPAnswer {
      state.withLock { $0.asked += 1 }
      while !state.withLock({ $0.isOpen }) {
        guard !Task.isCancelled else {
          state.withLock { $0.cancelled += 1 }
          throw TransferError(.cancelled, "cancelled", remedy: "Call again")
        }
        try? await Task.sleep(for: .milliseconds(5))
      }
      return try await FoveaModels.HTTPAnswer.of(transfer, limit: limit)
    }
  }

  private static func config(_ host: ConfigHost, _ gate: Gate) throws -> HostedConfig {
    var surroundings = host.surroundings
    surroundings.send = { transfer, limit async throws(TransferError) in try await gate.send(transfer, limit)
    }
    return try HostedConfig(
      host: HostAddress(host.address), folder: host.path, options: .init(), in: surroundings)
  }

  private static func outcome(_ config: HostedConfig, _ interval: Duration?) async -> Result<
    ConfigFetch, ConfigError
  > {
    do throws(ConfigError) { return .success(try await config.fetch(ifOlderThan: interval)) } catch {
      return .failure(error)
    }
  }

  @Test func `each caller's own interval decides, also while another fetches`() async throws {
    let (host, gate) = (try ConfigHost(), Gate())
    let config = try Self.config(host, gate)
    #expect(try await config.fetch() == .fetched)
    gate.close()
    let other = Task { await Self.outcome(config, .zero) }
    try await waitUntil("the other asks") { gate.asked == 2 }
    #expect(try await config.fetch() == .recent)
    gate.open()
    #expect(try await other.value.get() == .unchanged)
    #expect(gate.asked == 2)
  }

  @Test func `a cancelled caller stops waiting, and the others get their response`() async throws {
    let (host, gate) = (try ConfigHost(), Gate())
    let config = try Self.config(host, gate)
    gate.close()
    let first = Task { await Self.outcome(config, nil) }
    try await waitUntil("the first asks") { gate.asked == 1 }
    let second = Task { await Self.outcome(config, nil) }
    first.cancel()
    // The request is held until here, so the response does not end the wait.
    let ended = await first.value
    #expect(throws: ConfigError.self) { try ended.get() }
    gate.open()
    #expect(try await second.value.get() == .fetched)
    #expect(gate.cancelled == 0 || gate.asked == 2)
  }

  @Test func `the request ends with the last caller, and the next one asks again`() async throws {
    let (host, gate) = (try ConfigHost(), Gate())
    let config = try Self.config(host, gate)
    gate.close()
    let only = Task { await Self.outcome(config, nil) }
    try await waitUntil("it asks") { gate.asked == 1 }
    only.cancel()
    let ended = await only.value
    #expect(throws: ConfigError.self) { try ended.get() }
    try await waitUntil("the request ends") { gate.cancelled == 1 }
    gate.open()
    #expect(try await config.fetch() == .fetched)
    // One that was cancelled before it started ends as well.
    let late = Task {
      try? await Task.sleep(for: .seconds(60))
      return await Self.outcome(config, .zero)
    }
    late.cancel()
    let last = await late.value
    #expect(throws: ConfigError.self) { try last.get() }
  }
}
