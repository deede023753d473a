// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The implementation of the `ModelManager`s of Google's APIs, which differ only in their notifications.
package struct RemoteModelManager: Sendable {
  private let notifications: DownloadNotifications

  /// Creates the manager of a module.
  /// - Parameter notifications: The notifications at the end of a download.
  package init(_ notifications: DownloadNotifications) { self.notifications = notifications }

  /// The model host of the process; nil uses the host in `FOVEA_MODEL_HOST`.
  package var host: String? {
    get { RemoteModels.host }
    nonmutating set { RemoteModels.host = newValue }
  }

  /// Returns whether a model is installed, intact and usable.
  package func isDownloaded(_ name: String) -> Bool { RemoteModels.path(of: name) != nil }

  /// Downloads a model and posts the result.
  /// - Parameters:
  ///   - name: The model's name on the model host.
  ///   - model: The object in the notifications.
  /// - Returns: The progress in bytes.
  package func download(_ name: String, about model: any Sendable) -> Progress {
    RemoteModels.download(name) { notifications.post($0, about: model) }
  }

  /// Downloads a model and waits for it; nothing is posted.
  /// - Throws: `MLError`.
  package func download(_ name: String) async throws(MLError) { _ = try await RemoteModels.download(name) }

  /// Deletes a model.
  /// - Parameters:
  ///   - name: The model's name on the model host.
  ///   - completion: Called once on the main queue, with nil or with an `MLError`.
  package func delete(_ name: String, completion: @escaping ((any Error)?) -> Void) {
    let completion = ModelCompletion(completion)
    do throws(MLError) {
      try delete(name)
      completion.deliver(nil)
    } catch {
      completion.deliver(error)
    }
  }

  /// Deletes a model.
  /// - Throws: `MLError` with `notFound` if the model was not downloaded.
  package func delete(_ name: String) throws(MLError) { try RemoteModels.delete(name) }
}
