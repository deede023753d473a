// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The notifications by which Google's names report how a download ended, and the keys of what they carry.
package struct DownloadNotifications: Sendable {
  private let success: Notification.Name
  private let failure: Notification.Name
  private let modelKey: String
  private let errorKey: String

  /// Names the notifications of a module.
  package init(success: Notification.Name, failure: Notification.Name, modelKey: String, errorKey: String) {
    self.success = success
    self.failure = failure
    self.modelKey = modelKey
    self.errorKey = errorKey
  }

  /// Posts how the download of a model ended.
  package func post<Value>(_ result: Result<Value, MLError>, about model: Any) {
    let center = NotificationCenter.default
    switch result {
    case .success: center.post(name: success, object: nil, userInfo: [modelKey: model])
    case .failure(let error):
      center.post(name: failure, object: nil, userInfo: [modelKey: model, errorKey: error.nsError])
    }
  }
}
