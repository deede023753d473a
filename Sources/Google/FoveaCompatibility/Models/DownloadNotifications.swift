// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The notifications in which Google's APIs report the end of a download, and the keys of their `userInfo`.
package struct DownloadNotifications: Sendable {
  private let success: Notification.Name
  private let failure: Notification.Name
  private let modelKey: String
  private let errorKey: String

  /// Creates the notifications of a module.
  package init(success: Notification.Name, failure: Notification.Name, modelKey: String, errorKey: String) {
    self.success = success
    self.failure = failure
    self.modelKey = modelKey
    self.errorKey = errorKey
  }

  /// Posts the result of a model's download.
  package func post<Value>(_ result: Result<Value, MLError>, about model: Any) {
    let center = NotificationCenter.default
    switch result {
    case .success: center.post(name: success, object: nil, userInfo: [modelKey: model])
    case .failure(let error):
      center.post(name: failure, object: nil, userInfo: [modelKey: model, errorKey: error.nsError])
    }
  }
}
