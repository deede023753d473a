// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore
import FoveaTesting
import Hummingbird
import Logging
import Synchronization

/// The context of the server's own rejections.
private struct StoreFailure: Error {}

/// A server on a free port of loopback, which ends with the test that runs it.
struct RunningServer {
  let port: Int
  let metrics: Metrics

  /// Runs a server with some routes while `body` runs on its own thread.
  static func run<R: Sendable>(
    options: ServerOptions = ServerOptions(), file: (any ByteRangeSource)? = nil,
    _ body: @escaping @Sendable (RunningServer) throws -> R
  ) async throws -> R {
    try await serve(options: options, file: file) { server in try await onOwnThread { try body(server) } }
  }

  /// Runs a server with some routes while `body` runs, which only waits for tasks.
  static func serve<R: Sendable>(
    options: ServerOptions = ServerOptions(), file: (any ByteRangeSource)? = nil,
    _ body: @Sendable (RunningServer) async throws -> R
  ) async throws -> R {
    var options = options
    options.port = 0
    options.drain = 1
    let metrics = Metrics()
    let place = Mutex<Int?>(nil)
    var server = HTTPServer(
      options: options, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, metrics: metrics)
    server.takesSignals = false
    server.listening = { port in place.withLock { $0 = port } }
    let running = server
    let router = routes(metrics, file)
    let task = Task { try await running.run(router) }
    defer { task.cancel() }
    try await waitUntil("the server listens") { place.withLock { $0 != nil } }
    let port = place.withLock { $0 ?? 0 }
    return try await body(RunningServer(port: port, metrics: metrics))
  }

  private static func routes(_ metrics: Metrics, _ file: (any ByteRangeSource)?) -> Router<HTTPContext> {
    let router = Router(context: HTTPContext.self)
    router.add(
      middleware: RequestLog(metrics: metrics, shape: { _ in .native }, accessLog: .slow) { error in
        error is StoreFailure ? Refusal(.serviceUnavailable, "unavailable", "The disk has failed") : nil
      })
    router.get("hello") { _, _ in "hello" }
    router.post("echo") { request, _ in
      let bytes = try await request.bytes(upTo: 1 << 20)
      return Response.json { json in
        json.key("bytes")
        json.integer(bytes.count)
      }
    }
    router.post("ignore") { _, _ -> Response in
      throw Refusal(.unauthorized, "not-authorized", "No key", remedy: "Send one")
    }
    router.get("large") { _, _ in
      Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(repeating: 0x61, count: 32 << 20)))
    }
    router.get("pieces") { _, _ in
      Response(
        status: .ok,
        body: ResponseBody(contentLength: nil) { writer in
          for _ in 0..<2_000 { try await writer.write(ByteBuffer(repeating: 0x61, count: 64 << 10)) }
          try await writer.finish(nil)
        })
    }
    router.get("broken/{problem}") { _, context in
      let problem = context.parameters.get("problem") ?? ""
      return Response(
        status: .ok,
        body: ResponseBody(contentLength: nil) { writer in
          try await writer.write(ByteBuffer(string: "a"))
          switch problem {
          case "store": throw StoreFailure()
          case "refusal": throw Refusal(.tooManyRequests, "rate-limited", "Too many")
          case "cancelled": throw CancellationError()
          default: try await writer.finish(nil)
          }
        })
    }
    if let file {
      router.get("file") { request, context in
        var answer = FileResponse(tag: "\"abc\"")
        answer.channel = context.channel
        answer.sent = { metrics.add("sent", by: Double($0)) }
        return answer.response(to: request, source: OpenFile(file: file, metrics: metrics))
      }
    }
    return router
  }

  func connect() throws -> RawConnection { try RawConnection(port: port) }

  /// Whether the metrics have this line, now or soon: a server counts after it has sent.
  func counts(_ line: String) -> Bool {
    for _ in 0..<12_000 {
      if metrics.text().contains(line + "\n") { return true }
      usleep(10_000)
    }
    return false
  }

  /// Whether a new connection is answered.
  var isAlive: Bool {
    get throws {
      let connection = try connect()
      connection.send("GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      return connection.readToEnd().hasSuffix("\r\n\r\nhello")
    }
  }
}
#endif
