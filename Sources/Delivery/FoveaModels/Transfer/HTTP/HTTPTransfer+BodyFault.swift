// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension HTTPTransfer {
  /// The reason why a file was not sent to its original end.
  package struct BodyFault: Sendable, Hashable {
    /// The number of bytes read.
    package var sent: Int
    /// The original size in bytes.
    package var size: Int
    /// The system's error number; nil if the file has become shorter.
    package var number: Int32?

    /// Returns the error for the file at that path.
    func error(_ path: String) -> TransferError {
      guard let number else {
        return TransferError(
          .invalidOption,
          "'\(path)' cannot be sent: it was shortened during the upload, and ended after "
            + "\(DecimalText.grouped(sent)) of \(DecimalText.grouped(size)) bytes",
          remedy: "Send it again when no program writes to it")
      }
      return TransferError(
        .invalidOption, "'\(path)' cannot be sent: \(systemMessage(number))",
        remedy: "Choose a readable file")
    }
  }
}
