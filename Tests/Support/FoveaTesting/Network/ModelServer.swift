// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A server with models by name, and a folder for a test's downloads from it; both are removed together.
public final class ModelServer: Sendable {
  /// A classifier of 2,256 bytes.
  public static let classifier = model("classifier_uint8")
  /// A detector of 88,560 bytes.
  public static let detector = model("efficientdet")

  /// A path without a file yet.
  public let folder: String
  /// The server, which counts its requests.
  public let server: LoopbackServer

  /// Starts a server.
  /// - Parameter answer: Returns the response to a request and its number, from 0.
  /// - Throws: If no port is free.
  public init(_ answer: @escaping @Sendable (LoopbackServer.Request, Int) -> LoopbackServer.Reply) throws {
    folder = FileManager.default.temporaryDirectory.path + "/fovea-models-" + UUID().uuidString
    server = try LoopbackServer(answer)
  }

  /// Starts a server with one model for all names, with the tag `v1`, that answers unchanged requests with
  /// 304.
  /// - Parameter model: The bytes of the model.
  /// - Throws: If no port is free.
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

  /// Returns the bytes of a model of Tests/Fixtures; none if there is no such model.
  /// - Parameter name: The name of the file without `.tflite`.
  /// - Returns: The bytes.
  public static func model(_ name: String) -> [UInt8] {
    let path = PackageRoot.path + "/Tests/Fixtures/models/\(name).tflite"
    return FileManager.default.contents(atPath: path).map { Array($0) } ?? []
  }
}
