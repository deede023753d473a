// SPDX-License-Identifier: Apache-2.0

/// Which model `getModel` gives: the one that is there, or the newest.
public enum ModelDownloadType: Sendable, Hashable {
  /// The installed model, without a request to the network; where there is none, it is downloaded.
  case localModel
  /// The model that is there, while a newer one is downloaded for the next time; where there is none, it is downloaded.
  case localModelUpdateInBackground
  /// The newest model; fails where the host cannot be asked.
  case latestModel
}
