// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A server that has models by their names, and a folder for what a test downloads from it; both go away with it.
public final class ModelServer: Sendable {
  /// A classifier of 2,256 bytes.
  public static let classifier = model("classifier_uint8")
  /// A detector of 88,560 bytes.
  public static let detector = model("efficientdet")

  /// A path at which there is nothing yet.
  public let folder: String
  /// The server, which counts its requests.
  public let server: LoopbackServer

  /// Starts a server.
  /// - Parameter answer: What to answer to a request, of which it gets the number, from 0.
  /// - Throws: Where no port can be had.
  public init(_ answer: @escaping @Sendable (LoopbackServer.Request, Int) -> LoopbackServer.Reply) throws {
    folder = FileManager.default.temporaryDirectory.path + "/fovea-models-" + UUID().uuidString
    server = try LoopbackServer(answer)
  }

  /// Starts a server that has one model for all names, with the tag `v1`, and knows what has not changed.
  /// - Parameter model: The bytes of the model.
  /// - Throws: Where no port can be had.
  public convenience init(model: [UInt8] = detector) throws {
    try self.init { request, _ in
      request.headers["if-none-match"] == "\"v1\""
        ? LoopbackServer.Reply(status: 304) : .file(model, for: request)
    }
  }

  deinit {
    server.stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The bytes of a model of Tests/Fixtures; none where there is no such model.
  /// - Parameter name: The name of the file without `.tflite`.
  /// - Returns: The bytes.
  public static func model(_ name: String) -> [UInt8] {
    let path = PackageRoot.path + "/Tests/Fixtures/models/\(name).tflite"
    return FileManager.default.contents(atPath: path).map { Array($0) } ?? []
  }
}
