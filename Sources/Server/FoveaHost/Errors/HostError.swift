// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore

/// Why the model host refuses or fails.
package typealias HostError = Failure<HostCode>

/// The kinds of ``HostError``.
package struct HostCode: FailureCode {
  package static let domain = "host"
  package var rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// A request or command names something in a form that is not allowed.
  package static let invalid = Self(rawValue: "invalid")
  /// There is no such model, version, key, object or operation.
  package static let notFound = Self(rawValue: "not-found")
  /// A model of that name exists.
  package static let alreadyExists = Self(rawValue: "already-exists")
  /// The model is not in a state that allows it: no verified file, withdrawn, nothing to roll back to.
  package static let precondition = Self(rawValue: "precondition")
  /// Somebody else changed it since it was read.
  package static let conflict = Self(rawValue: "conflict")
  /// The tag that a request names is not the one of the template in force.
  package static let etagMismatch = Self(rawValue: "etag-mismatch")
  /// An object of a bucket is not as the request says that it must be.
  package static let conditionFailed = Self(rawValue: "condition-failed")
  /// No key, a key that is not valid, or a token that has expired.
  package static let unauthenticated = Self(rawValue: "unauthenticated")
  /// The key is valid, and its role does not allow this.
  package static let forbidden = Self(rawValue: "forbidden")
  /// A signed address has expired.
  package static let expired = Self(rawValue: "expired")
  /// The bytes that came are not those that were announced.
  package static let corrupted = Self(rawValue: "corrupted")
  /// A file or a request is larger than the host takes.
  package static let tooLarge = Self(rawValue: "too-large")
  /// There is no space left on the disk, or a file would be larger than its limit.
  package static let diskFull = Self(rawValue: "disk-full")
  /// The database or a file cannot be read or written just now.
  package static let unavailable = Self(rawValue: "unavailable")
  /// One key or address has asked for more than its share.
  ///
  /// **Remedy:** Wait until what it has asked for is done.
  package static let rateLimited = Self(rawValue: "rate-limited")
  /// The caller has gone before the answer or has cancelled what it asked for, or the host ends.
  package static let cancelled = Self(rawValue: "cancelled")
  /// A published file is cut off, changed or gone on the host's disk.
  ///
  /// **Remedy:** Publish it again, or restore the host from its backup.
  package static let damaged = Self(rawValue: "damaged")
  /// The folder is no host's, is another version's, or is not empty.
  package static let folder = Self(rawValue: "folder")
  /// Something that should not happen.
  package static let inner = Self(rawValue: "internal")
}

extension HostError {
  /// What the system refused, without the path.
  init(system error: SystemError) {
    if error.isFull {
      self = .diskFull(cause: error)
    } else if error.isTooLarge {
      self.init(
        .diskFull, "A file of the host would be larger than the limit on the size of files",
        remedy: "Raise the limit (ulimit -f, LimitFSIZE= in the unit), then send it again", cause: error)
    } else if error.number == EMFILE || error.number == ENFILE {
      self.init(
        .unavailable, "The host has too many files open", remedy: "Try again in a few seconds", cause: error
      )
    } else {
      self.init(
        .unavailable, "A file of the host cannot be read or written: \(error.message)",
        remedy: "Check the host's folder, its disk and its rights, then try again", cause: error)
    }
  }

  static func diskFull(cause: any Error) -> HostError {
    HostError(
      .diskFull, "There is no space left on the host's disk",
      remedy: "Make space there, then send it again",
      cause: cause)
  }
}

/// The exact text that Google's service answers with, which its clients' tests compare; it travels as the cause of a
/// ``HostError``.
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
  /// What a client of Google's reads: the text that it expects, else message and remedy.
  package var wireText: String {
    (cause as? WireText)?.text ?? "\(message.sentence) \(remedy.description.sentence)"
  }
}
#endif
