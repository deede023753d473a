// SPDX-License-Identifier: Apache-2.0

extension MLError {
  /// The kind of failure, with the numbers that Google's libraries share.
  ///
  /// **Source:** `MlKitException` and `FirebaseMLException` of Android, whose numbers follow gRPC's status codes.
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    /// The call was cancelled.
    case cancelled = 1
    /// An unexpected internal error.
    case unknown = 2
    /// An argument, an image or an option that cannot be used.
    case invalidArgument = 3
    /// It took too long.
    case deadlineExceeded = 4
    /// A model or a file that is not there.
    case notFound = 5
    /// It is there already.
    case alreadyExists = 6
    /// The caller may not do this.
    case permissionDenied = 7
    /// Memory, a disk or a quota is used up.
    case resourceExhausted = 8
    /// Something must be done before, for example a model downloaded.
    case failedPrecondition = 9
    /// It was given up for another call.
    case aborted = 10
    /// A value outside its range.
    case outOfRange = 11
    /// Not offered on this platform.
    case unimplemented = 12
    /// The runtime failed.
    case `internal` = 13
    /// The server cannot be reached.
    case unavailable = 14
    /// What arrived is damaged.
    case dataLoss = 15
    /// The server wants to know who asks.
    case unauthenticated = 16
    /// The model is not one that can be used.
    case modelIncompatible = 100
    /// There is not enough space.
    case notEnoughSpace = 101
    /// What arrived is not what was announced.
    case modelHashMismatch = 102
  }
}
