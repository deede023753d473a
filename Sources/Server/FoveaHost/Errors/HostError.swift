// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore

/// An error of the model host.
package typealias HostError = Failure<HostCode>

/// The kinds of ``HostError``.
package struct HostCode: FailureCode {
  package static let domain = "host"
  package var rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// A request or command contains a malformed value.
  package static let invalid = Self(rawValue: "invalid")
  /// There is no such model, version, key, object or operation.
  package static let notFound = Self(rawValue: "not-found")
  /// A model of that name exists.
  package static let alreadyExists = Self(rawValue: "already-exists")
  /// The model's state does not allow the request: no verified file, withdrawn, nothing to roll back to.
  package static let precondition = Self(rawValue: "precondition")
  /// It was changed by someone else since it was read.
  package static let conflict = Self(rawValue: "conflict")
  /// The tag in a request does not match the template in force.
  package static let etagMismatch = Self(rawValue: "etag-mismatch")
  /// An object of a bucket does not meet the condition of the request.
  package static let conditionFailed = Self(rawValue: "condition-failed")
  /// The key is missing or not valid, or a token has expired.
  package static let unauthenticated = Self(rawValue: "unauthenticated")
  /// The key is valid, but its role does not allow this.
  package static let forbidden = Self(rawValue: "forbidden")
  /// A signed URL has expired.
  package static let expired = Self(rawValue: "expired")
  /// The received bytes do not match the announced checksum or length.
  package static let corrupted = Self(rawValue: "corrupted")
  /// A file or a request is larger than the host accepts.
  package static let tooLarge = Self(rawValue: "too-large")
  /// There is no space left on the disk, or a file would be larger than its limit.
  package static let diskFull = Self(rawValue: "disk-full")
  /// The database or a file cannot be read or written at the moment.
  package static let unavailable = Self(rawValue: "unavailable")
  /// One key or address has sent more than its share of requests.
  ///
  /// **Remedy:** Wait until its requests are done.
  package static let rateLimited = Self(rawValue: "rate-limited")
  /// The caller left before the answer or cancelled its request, or the host is shutting down.
  package static let cancelled = Self(rawValue: "cancelled")
  /// A published file is truncated, changed or missing on the host's disk.
  ///
  /// **Remedy:** Publish it again, or restore the host from its backup.
  package static let damaged = Self(rawValue: "damaged")
  /// The folder does not belong to a host, belongs to another version, or is not empty.
  package static let folder = Self(rawValue: "folder")
  /// An internal error that should not happen.
  package static let inner = Self(rawValue: "internal")
}

extension HostError {
  /// Converts an error of the system, without the path.
  init(system error: SystemError) {
    if error.isFull {
      self = .diskFull(cause: error)
    } else if error.isTooLarge {
      self.init(
        .diskFull, "A file of the host would be larger than the limit on the size of files",
        remedy: "Raise the limit (ulimit -f, LimitFSIZE= in the unit), then send the request again",
        cause: error)
    } else if error.number == EMFILE || error.number == ENFILE {
      self.init(
        .unavailable, "The host has too many files open", remedy: "Try again in a few seconds", cause: error
      )
    } else {
      self.init(
        .unavailable, "A file of the host cannot be read or written: \(error.message)",
        remedy: "Check the host's folder, its disk and its permissions, then try again", cause: error)
    }
  }

  static func diskFull(cause: any Error) -> HostError {
    HostError(
      .diskFull, "There is no space left on the host's disk",
      remedy: "Free some space, then send the request again",
      cause: cause)
  }
}

/// The exact text of Google's service, which its clients' tests compare; it is the cause of a ``HostError``.
package struct WireText: Error, Equatable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static let entityNotFound = WireText("Requested entity was not found.")
  package static let invalidArgument = WireText("Request contains an invalid argument.")
  package static let notVerified = WireText("Cannot publish a model that is not verified.")
  package static func exists(_ name: String) -> WireText { WireText("Model '\(name)' already exists") }
  package static func modelNotFound(project: String, id: String) -> WireText {
    WireText("Model 'projects/\(project)/models/\(id)' was not found")
  }
}

extension HostError {
  /// The text for Google's clients: the text they expect, or else message and remedy.
  package var wireText: String {
    (cause as? WireText)?.text ?? "\(message.sentence) \(remedy.description.sentence)"
  }
}
#endif
