// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension NSNotification.Name {
  /// Posted on any thread after a model was downloaded, or if the newest one was already installed.
  ///
  /// `userInfo` has the `RemoteModel` under `ModelDownloadUserInfoKey.remoteModel.rawValue`.
  public static let firebaseMLModelDownloadDidSucceed = NSNotification.Name(
    "FIRModelDownloadDidSucceedNotification")
  /// Posted on any thread after a download failed or was cancelled.
  ///
  /// `userInfo` has the `RemoteModel`, and an `NSError` under `ModelDownloadUserInfoKey.error.rawValue`.
  public static let firebaseMLModelDownloadDidFail = NSNotification.Name(
    "FIRModelDownloadDidFailNotification")
}
