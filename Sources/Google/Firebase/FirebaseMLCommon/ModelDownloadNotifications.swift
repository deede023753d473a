// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension NSNotification.Name {
  /// Posted by any thread after a model was downloaded, or the newest was there already.
  ///
  /// `userInfo` has the `RemoteModel` under `ModelDownloadUserInfoKey.remoteModel.rawValue`.
  public static let firebaseMLModelDownloadDidSucceed = NSNotification.Name(
    "FIRModelDownloadDidSucceedNotification")
  /// Posted by any thread after a download failed or was cancelled.
  ///
  /// `userInfo` has the `RemoteModel`, and an `NSError` under `ModelDownloadUserInfoKey.error.rawValue`.
  public static let firebaseMLModelDownloadDidFail = NSNotification.Name(
    "FIRModelDownloadDidFailNotification")
}
