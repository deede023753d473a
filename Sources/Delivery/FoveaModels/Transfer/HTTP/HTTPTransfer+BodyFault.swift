// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension HTTPTransfer {
  /// The reason that a file was not sent to the end that it had at first.
  package struct BodyFault: Sendable, Hashable {
    /// How many of its bytes were read.
    package var sent: Int
    /// How many bytes it had.
    package var size: Int
    /// The system's error number; nil if the file has become shorter.
    package var number: Int32?

    /// The error of a file of that path.
    func error(_ path: String) -> TransferError {
      guard let number else {
        return TransferError(
          .invalidOption,
          "'\(path)' cannot be sent: it became shorter while it was sent, and ended after "
            + "\(DecimalText.grouped(sent)) of \(DecimalText.grouped(size)) bytes",
          remedy: "Send it again when no program writes to it")
      }
      return TransferError(
        .invalidOption, "'\(path)' cannot be sent: \(systemMessage(number))",
        remedy: "Name a file that can be read")
    }
  }
}
