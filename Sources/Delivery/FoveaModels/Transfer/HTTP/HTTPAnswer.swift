// SPDX-License-Identifier: Apache-2.0

/// A small answer, held in memory.
package struct HTTPAnswer: Sendable {
  package var outcome: HTTPTransfer.Outcome
  package var body: [UInt8]
  /// Whether the body was longer than the limit; then `body` has only its start.
  package var isTooLong: Bool

  package init(outcome: HTTPTransfer.Outcome, body: [UInt8], isTooLong: Bool = false) {
    self.outcome = outcome
    self.body = body
    self.isTooLong = isTooLong
  }

  // SAFETY: it is used by one owner at a time: the transfer's thread during the transfer, then the waiting
  // task.
  private final class Receiver: HTTPTransfer.Receiver, @unchecked Sendable {
    let limit: Int
    var body: [UInt8] = []
    var isTooLong = false

    init(limit: Int) { self.limit = limit }

    func take(_ bytes: Span<UInt8>, head: HTTPHead) -> Bool {
      isTooLong = bytes.count > limit - body.count
      for index in 0..<min(bytes.count, limit - body.count) { body.append(bytes[index]) }
      return !isTooLong
    }
  }

  /// Runs a transfer.
  /// - Parameters:
  ///   - transfer: The transfer to run.
  ///   - limit: The maximum size of the body in bytes.
  /// - Returns: The answer.
  /// - Throws: `libraryMissing`, `cancelled`. Every other failure is in the outcome.
  package static func of(_ transfer: HTTPTransfer, limit: Int) async throws(TransferError) -> HTTPAnswer {
    let receiver = Receiver(limit: limit)
    let outcome = try await transfer.run(into: receiver)
    guard !Task.isCancelled else { throw .cancelled }
    return HTTPAnswer(outcome: outcome, body: receiver.body, isTooLong: receiver.isTooLong)
  }
}
