// SPDX-License-Identifier: Apache-2.0

/// The keys of what the notifications of a download carry; their `rawValue`s are the keys of `userInfo`.
public struct ModelDownloadUserInfoKey: RawRepresentable, Hashable, Sendable {
  /// The key in `userInfo`.
  public let rawValue: String

  /// Makes a key of its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The `RemoteModel` that was given to the download, the object itself.
  public static let remoteModel = ModelDownloadUserInfoKey(rawValue: "MLKModelDownloadUserInfoKeyRemoteModel")
  /// Why the download failed, an `NSError`; only in notifications of a failure.
  public static let error = ModelDownloadUserInfoKey(rawValue: "MLKModelDownloadUserInfoKeyError")
}
