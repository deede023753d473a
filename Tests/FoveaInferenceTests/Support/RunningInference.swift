// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import Fovea
import FoveaHTTP
import FoveaInference
import FoveaTesting
import Logging
import Synchronization

/// An inference server on a free port of loopback, which ends with the test that runs it.
struct RunningInference: Sendable {
  let port: Int
  let service: InferenceService
  /// The port of health and metrics, if they have their own listener.
  var adminPort: Int?

  static let photo = PackageRoot.path + "/Examples/photos/coffee.jpg"

  static func bytes(_ path: String = photo) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  static func run<R: Sendable>(
    _ entries: [ModelEntry] = [.embedded, ModelEntry(name: "coarse", source: .embedded(.classifier))],
    _ change: (inout InferenceOptions) -> Void = { _ in },
    logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
    _ body: @escaping @Sendable (RunningInference) throws -> R
  ) async throws -> R {
    var options = InferenceOptions()
    options.server.port = 0
    options.server.drain = 1
    options.deadline = .seconds(60)
    options.takesSignals = false
    change(&options)
    let service = try await InferenceService(entries, options: options, logger: logger)
    let place = Mutex<Int?>(nil)
    let adminPlace = Mutex<Int?>(nil)
    let task = Task {
      try await service.run(
        adminListening: { port in adminPlace.withLock { $0 = port } },
        listening: { port in place.withLock { $0 = port } })
    }
    defer { task.cancel() }
    let hasAdmin = options.server.admin != nil
    try await waitUntil("the server listens") {
      place.withLock { $0 != nil } && (!hasAdmin || adminPlace.withLock { $0 != nil })
    }
    let running = RunningInference(
      port: place.withLock { $0 ?? 0 }, service: service, adminPort: adminPlace.withLock { $0 })
    return try await onOwnThread { try body(running) }
  }

  /// Reloads the configuration, from a thread that may block.
  func reload() {
    let isDone = Mutex(false)
    Task {
      await service.reload()
      isDone.withLock { $0 = true }
    }
    blockUntil { isDone.withLock(\.self) }
  }

  /// As many labels as `detector80` has classes, as `word 1`.
  static func labels(_ word: String) -> String {
    (1...80).map { "\(word) \($0)" }.joined(separator: "\n") + "\n"
  }

  func send(
    _ method: String, _ target: String, headers: [String: String] = [:], _ body: [UInt8] = []
  ) throws -> HTTPAnswer {
    try HTTPAnswer(RunningInference.open(port, method, target, headers: headers, body).readToEnd())
  }

  /// Sends a request to another server.
  static func send(
    to port: Int, _ method: String, _ target: String, _ body: [UInt8] = []
  ) throws -> HTTPAnswer {
    try HTTPAnswer(open(port, method, target, headers: [:], body).readToEnd())
  }

  /// The same for a body that is not text.
  func sendForBytes(
    _ method: String, _ target: String, headers: [String: String] = [:], _ body: [UInt8] = []
  ) throws -> (answer: HTTPAnswer, bytes: [UInt8]) {
    let connection = try RunningInference.open(port, method, target, headers: headers, body)
    var bytes: [UInt8] = []
    while let piece = connection.read(65_536), !piece.isEmpty { bytes += piece }
    let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? bytes.endIndex
    return (try HTTPAnswer(String(decoding: bytes[..<end], as: UTF8.self)), Array(bytes[end...]))
  }

  /// A connection on which only the request has been sent.
  private static func open(
    _ port: Int, _ method: String, _ target: String, headers: [String: String], _ body: [UInt8]
  ) throws -> RawConnection {
    let connection = try RawConnection(port: port)
    var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if method == "POST" { head += "Content-Length: \(body.count)\r\n" }
    connection.send(Array((head + "\r\n").utf8) + body)
    return connection
  }

  func post(_ target: String, _ body: String, type: String = "application/json") throws -> HTTPAnswer {
    try send("POST", target, headers: ["Content-Type": type], Array(body.utf8))
  }
}

extension HTTPAnswer {
  /// The `code` of an error of the native form; nil if there is none.
  var errorCode: String? {
    let value = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
    return (value?["error"] as? [String: Any])?["code"] as? String
  }
}
#endif
