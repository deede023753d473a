// SPDX-License-Identifier: Apache-2.0

import FoveaCompatibility
import FoveaTesting

extension ModelServer {
  /// Calls `body` with this folder and, by default, this server as those of Google's names.
  func use<Result>(host: String?? = .none, _ body: () async throws -> Result) async throws -> Result {
    try await RemoteModels.$setting.withValue(
      RemoteModels.Setting(host: host ?? server.url, folder: folder), operation: body)
  }
}
