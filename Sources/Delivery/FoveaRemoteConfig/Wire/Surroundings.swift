// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaModels

/// The clock, random numbers and network of a client; tests replace them.
package struct Surroundings: Sendable {
  /// Seconds since 1970.
  package var now: @Sendable () -> Double
  /// A random number from 0 to below 1.
  package var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
  package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  /// Sends a request, with a maximum size of the answer in bytes.
  package var send: @Sendable (HTTPTransfer, Int) async throws(TransferError) -> HTTPAnswer = {
    (transfer, limit) async throws(TransferError) in try await HTTPAnswer.of(transfer, limit: limit)
  }
  /// libcurl's proxy; nil uses the environment's.
  package var proxy: String?

  package init() {
    now = { WallClock.seconds }
  }

  var seconds: Int { Int(now()) }

  /// Returns a request with a JSON body.
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
  /// Returns the error of an answer with a status other than 200 or an incomplete body; nil for a complete
  /// answer.
  func failure(_ address: DownloadAddress) -> ConfigError? {
    let head = outcome.head
    guard head.status > 0, !outcome.isLate else {
      return ConfigError(
        .unreachable,
        "\(address.shown) cannot be reached: \(outcome.isLate ? "the request timed out" : outcome.message)",
        remedy: "Check the network and the proxy; the data on the device is kept")
    }
    guard head.status != 429, head.status < 500 else {
      let wish = head.retryAfterSeconds().map { ", and asks to wait for \($0) s" } ?? ""
      return ConfigError(
        .throttled, "\(address.shown) answered with status \(head.status)\(wish)",
        remedy: "Ask again later; the data on the device is kept")
    }
    guard head.status == 200 else {
      return ConfigError(
        .refused, "\(address.shown) answered with status \(head.status) instead of 200",
        remedy: "Check the key and the project in \(term: .modelHost)")
    }
    guard !isTooLong, outcome.result == .ok else {
      return ConfigError(
        .unreachable, "\(address.shown) did not send a whole answer of at most \(FetchAnswer.limit) bytes",
        remedy: "Ask again later; the data on the device is kept")
    }
    return nil
  }
}
