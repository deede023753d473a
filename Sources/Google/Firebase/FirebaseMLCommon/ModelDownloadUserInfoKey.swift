// SPDX-License-Identifier: Apache-2.0

/// The keys of the notifications of a download; their `rawValue`s are the keys of `userInfo`.
public struct ModelDownloadUserInfoKey: RawRepresentable, Hashable, Sendable {
  /// The key in `userInfo`.
  public let rawValue: String

  /// Creates a key from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The `RemoteModel` that was passed to the download, the same object.
  public static let remoteModel = ModelDownloadUserInfoKey(rawValue: "FIRModelDownloadUserInfoKeyRemoteModel")
  /// The error of a failed download, an `NSError`; only in notifications of a failure.
  public static let error = ModelDownloadUserInfoKey(rawValue: "FIRModelDownloadUserInfoKeyError")
}
