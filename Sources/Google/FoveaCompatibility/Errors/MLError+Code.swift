// SPDX-License-Identifier: Apache-2.0

extension MLError {
  /// The error codes, with the numbers that Google's libraries share.
  ///
  /// **Source:** `MlKitException` and `FirebaseMLException` for Android, whose numbers follow gRPC's status
  /// codes.
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    /// The call was cancelled.
    case cancelled = 1
    /// An unexpected internal error.
    case unknown = 2
    /// An argument, an image or an option is invalid.
    case invalidArgument = 3
    /// The operation timed out.
    case deadlineExceeded = 4
    /// A model or a file is missing.
    case notFound = 5
    /// It already exists.
    case alreadyExists = 6
    /// The caller lacks permission.
    case permissionDenied = 7
    /// Memory, disk space or a quota is exhausted.
    case resourceExhausted = 8
    /// A precondition is missing, for example a downloaded model.
    case failedPrecondition = 9
    /// It was aborted in favour of another call.
    case aborted = 10
    /// A value is outside its range.
    case outOfRange = 11
    /// Not offered on this platform.
    case unimplemented = 12
    /// The runtime failed.
    case `internal` = 13
    /// The server cannot be reached.
    case unavailable = 14
    /// The downloaded data is damaged.
    case dataLoss = 15
    /// The server requires authentication.
    case unauthenticated = 16
    /// The model cannot be used.
    case modelIncompatible = 100
    /// There is not enough space.
    case notEnoughSpace = 101
    /// The downloaded data does not match the announced hash.
    case modelHashMismatch = 102
  }
}
