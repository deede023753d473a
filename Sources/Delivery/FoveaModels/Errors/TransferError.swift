// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

/// Why a request could not be made at all.
///
/// What becomes of a request that is made is its outcome; the modules that make requests have errors of their own for it.
package typealias TransferError = Failure<TransferCode>

/// The kinds of ``TransferError``.
package struct TransferCode: FailureCode {
  /// What stands before the code in a `FoveaError`.
  package static let domain = ""
  /// The code as results print it, in kebab case.
  package var rawValue: String
  /// Makes a code from its text.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// libcurl, which requests need, cannot be loaded.
  ///
  /// **Remedy:** `apt-get install libcurl4` (`libcurl4t64` on Ubuntu 24.04, Debian 13).
  package static let libraryMissing = Self(rawValue: "http-library-missing")
  /// A file that is to be sent cannot be read.
  ///
  /// **Remedy:** name a file that can be read.
  package static let invalidOption = Self(rawValue: "option-invalid")
  /// The task was cancelled.
  ///
  /// **Remedy:** call again.
  package static let cancelled = Self(rawValue: "cancelled")
}

extension TransferError {
  package static let cancelled = TransferError(
    .cancelled, "The download was cancelled", remedy: "Download it again; it continues where it ended")
}
