// SPDX-License-Identifier: Apache-2.0

/// The model that `getModel` returns: the installed version or the latest one.
public enum ModelDownloadType: Sendable, Hashable {
  /// The installed model, without a network request; downloaded if it is not installed.
  case localModel
  /// The installed model, while a newer one is downloaded for the next call; downloaded if it is not
  /// installed.
  case localModelUpdateInBackground
  /// The latest model; fails if the host cannot be reached.
  case latestModel
}
