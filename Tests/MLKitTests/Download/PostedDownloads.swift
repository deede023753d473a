// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting
import MLKit
import Synchronization

/// The default notification center's posts about the downloads of one model.
final class PostedDownloads: Sendable {
  struct Post: Sendable {
    var isSuccess: Bool
    /// The keys of `userInfo`, sorted.
    var keys: [String]
    var model: RemoteModel?
    var error: NSError?
    /// Whether the file existed at the time of the post.
    var isThere: Bool
  }

  private let posts = Mutex<[Post]>([])
  // SAFETY: written once in `init`, and used again only in `deinit`.
  nonisolated(unsafe) private var tokens: [any NSObjectProtocol] = []

  /// - Parameters:
  ///   - name: The model's name.
  ///   - folder: The folder of the models.
  init(_ name: String, folder: String) {
    for isSuccess in [true, false] {
      // As in the guides.
      let token = NotificationCenter.default.addObserver(
        forName: isSuccess ? .mlkitModelDownloadDidSucceed : .mlkitMLModelDownloadDidFail, object: nil,
        queue: nil
      ) { [weak self] notification in
        guard let self, let userInfo = notification.userInfo,
          let model = userInfo[ModelDownloadUserInfoKey.remoteModel.rawValue] as? RemoteModel,
          model.name == name
        else { return }
        let post = Post(
          isSuccess: isSuccess, keys: userInfo.keys.compactMap { $0 as? String }.sorted(), model: model,
          error: userInfo[ModelDownloadUserInfoKey.error.rawValue] as? NSError,
          isThere: FileManager.default.fileExists(atPath: folder + "/.hosted/\(name)/current.json"))
        posts.withLock { $0.append(post) }
      }
      unsafe tokens.append(token)
    }
  }

  deinit { unsafe tokens.forEach { NotificationCenter.default.removeObserver($0) } }

  var all: [Post] { posts.withLock { $0 } }

  /// Waits until this many were posted.
  func wait(for count: Int) async throws -> [Post] {
    try await waitUntil("\(count) ends of downloads are posted") { all.count >= count }
    return all
  }
}
