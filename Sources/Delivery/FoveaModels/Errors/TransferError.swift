// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

/// The error of a request that could not be made at all.
///
/// A request that is made has an outcome, for which the calling modules have their own errors.
package typealias TransferError = Failure<TransferCode>

/// The kinds of ``TransferError``.
package struct TransferCode: FailureCode {
  /// The prefix of the code in a `FoveaError`.
  package static let domain = ""
  /// The code in kebab case, as results print it.
  package var rawValue: String
  /// Creates a code from its raw value.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// libcurl, which requests require, cannot be loaded.
  ///
  /// **Remedy:** `apt-get install libcurl4` (`libcurl4t64` on Ubuntu 24.04, Debian 13).
  package static let libraryMissing = Self(rawValue: "http-library-missing")
  /// The file to send cannot be read.
  ///
  /// **Remedy:** choose a readable file.
  package static let invalidOption = Self(rawValue: "option-invalid")
  /// The task was cancelled.
  ///
  /// **Remedy:** call again.
  package static let cancelled = Self(rawValue: "cancelled")
}

extension TransferError {
  package static let cancelled = TransferError(
    .cancelled, "The download was cancelled", remedy: "Download it again; it resumes where it stopped")
}
