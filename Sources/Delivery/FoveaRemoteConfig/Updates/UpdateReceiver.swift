// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaModels

/// Extracts small flat JSON objects from a streamed answer, and ignores everything between them.
// SAFETY: all calls come from the transfer's thread, one at a time.
final class UpdateReceiver: HTTPTransfer.Receiver, @unchecked Sendable {
  private struct Message: Decodable {
    var latestTemplateVersionNumber: String?
  }

  /// The maximum size of a message in bytes.
  private static let limit = 4_096
  private var text: [UInt8] = []
  private var isInside = false
  private let found: @Sendable (Int) -> Void

  /// - Parameter found: Called with the number of each version.
  init(found: @escaping @Sendable (Int) -> Void) { self.found = found }

  func take(_ bytes: Span<UInt8>, head: HTTPHead) -> Bool {
    guard head.status == 200 else { return false }
    for index in bytes.indices { take(bytes[index]) }
    return true
  }

  private func take(_ byte: UInt8) {
    if byte == UInt8(ascii: "{") {
      text = []
      isInside = true
    }
    guard isInside else { return }
    text.append(byte)
    if byte == UInt8(ascii: "}") {
      isInside = false
      // Other messages are not for this client.
      let message = try? JSONValue.decode(Message.self, from: text)
      if let version = message?.latestTemplateVersionNumber.flatMap({ Int($0) }) { found(version) }
    } else if text.count >= Self.limit {
      isInside = false
    }
  }
}
