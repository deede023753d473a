// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaModels

/// The clock, chance and network of a client; tests have their own.
package struct Surroundings: Sendable {
  /// Seconds since 1970.
  package var now: @Sendable () -> Double
  /// 0 to below 1.
  package var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
  package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  /// Makes a request for an answer of so many bytes at most.
  package var send: @Sendable (HTTPTransfer, Int) async throws(TransferError) -> HTTPAnswer = {
    (transfer, limit) async throws(TransferError) in try await HTTPAnswer.of(transfer, limit: limit)
  }
  /// libcurl's proxy; nil for what the environment says.
  package var proxy: String?

  package init() {
    now = { WallClock.seconds }
  }

  var seconds: Int { Int(now()) }

  /// A request with a body of JSON.
  func post(_ json: String, to address: DownloadAddress, timeout: Duration) -> HTTPTransfer {
    var transfer = HTTPTransfer(
      address: address, connectTimeout: min(timeout, .seconds(20)), stallTimeout: timeout, proxy: proxy,
      deadline: .now + timeout)
    transfer.body = Array(json.utf8)
    transfer.headers = ["Content-Type: application/json", "Expect:"]
    return transfer
  }

  /// - Throws: `cancelled`, `libraryMissing`.
  func answer(_ transfer: HTTPTransfer, limit: Int) async throws(ConfigError) -> HTTPAnswer {
    do throws(TransferError) { return try await send(transfer, limit) } catch { throw ConfigError(error) }
  }
}

extension HTTPAnswer {
  /// The error of an answer without status 200; nil for one with it that is whole.
  func failure(_ address: DownloadAddress) -> ConfigError? {
    let head = outcome.head
    guard head.status > 0, !outcome.isLate else {
      return ConfigError(
        .unreachable,
        "\(address.shown) cannot be reached: \(outcome.isLate ? "its time is over" : outcome.message)",
        remedy: "Check the network and the proxy; what is on the device stays")
    }
    guard head.status != 429, head.status < 500 else {
      let wish = head.retryAfterSeconds().map { ", and asks to wait for \($0) s" } ?? ""
      return ConfigError(
        .throttled, "\(address.shown) answered with status \(head.status)\(wish)",
        remedy: "Ask again later; what is on the device stays")
    }
    guard head.status == 200 else {
      return ConfigError(
        .refused, "\(address.shown) answered with status \(head.status) instead of 200",
        remedy: "Check the key and the project in \(term: .modelHost)")
    }
    guard !isTooLong, outcome.result == .ok else {
      return ConfigError(
        .unreachable, "\(address.shown) did not send a whole answer of at most \(FetchAnswer.limit) bytes",
        remedy: "Ask again later; what is on the device stays")
    }
    return nil
  }
}
