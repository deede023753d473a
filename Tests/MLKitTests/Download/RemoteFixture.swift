// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaCompatibility
import FoveaTesting

/// A folder for models of one test, and a server that has models by their names; both go away with it.
final class RemoteFixture: Sendable {
  /// 2,256 bytes, with ten classes.
  static let classifier = bytes("classifier_uint8")
  /// 88,560 bytes.
  static let detector = bytes("efficientdet")

  let folder = NSTemporaryDirectory() + "fovea-remote-" + UUID().uuidString
  let server: LoopbackServer

  init(_ answer: @escaping @Sendable (LoopbackServer.Request, Int) -> LoopbackServer.Reply) throws {
    server = try LoopbackServer(answer)
  }

  /// A server that has one model for all names, and knows what has not changed.
  convenience init(model: [UInt8] = detector) throws {
    try self.init { request, _ in
      request.headers["if-none-match"] == "\"v1\""
        ? LoopbackServer.Reply(status: 304) : .file(model, for: request)
    }
  }

  deinit {
    server.stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Calls `body` with this folder and, if nothing else is said, this server as those of Google's names.
  func use<Result>(host: String?? = .none, _ body: () async throws -> Result) async throws -> Result {
    try await RemoteModels.$setting.withValue(
      RemoteModels.Setting(host: host ?? server.url, folder: folder), operation: body)
  }

  static func bytes(_ name: String) -> [UInt8] {
    let path = PackageRoot.path + "/Tests/Fixtures/models/\(name).tflite"
    return FileManager.default.contents(atPath: path).map { Array($0) } ?? []
  }
}
