// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

/// `fovea-server serve` with scarce resources, and failing to start.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: BuiltProgram.server != nil, "needs the program next to the tests: swift build"))
struct ServeProcessTests {
  private static func isReady(_ port: Int) -> Bool {
    guard let connection = try? RawConnection(port: port) else { return false }
    connection.send("GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
    return connection.readToEnd().hasPrefix("HTTP/1.1 200 ")
  }

  /// Starts the server under a limit of the shell, and calls `body` once it answers.
  private static func serve<R: Sendable>(
    under limit: String, _ arguments: [String] = [], environment: [String: String]? = nil,
    _ body: @escaping @Sendable (_ port: Int) throws -> R
  ) async throws -> R {
    let program = try #require(BuiltProgram.server)
    let port = try ReservedPort()
    let server = try ChildProcess(
      "/bin/sh",
      ["-c", "\(limit) && exec \"$0\" \"$@\"", program, "serve", "--listen", "127.0.0.1:\(port.number)"]
        + arguments,
      environment: environment)
    let found = try await onOwnThread { [number = port.number] in
      blockUntil { isReady(number) }
      let found = Result { try body(number) }
      server.send(SIGTERM)
      return try found.get()
    }
    let end = try await server.outcome()
    #expect(end.code == 0, "\(end.messages)")
    return found
  }

  @Test func `with few descriptors connections wait, and existing ones are answered`() async throws {
    let found = try await Self.serve(under: "ulimit -n 64") { port in
      let hello = "GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
      var connections = try (0..<100).map { _ in try RawConnection(port: port) }
      // The system has accepted all of them; those above the limit wait for their turn.
      let first = connections[0]
      first.send(hello)
      let isFirstAnswered = first.read(until: "ok\n").hasPrefix("HTTP/1.1 200 ")
      let last = connections[99]
      last.send(hello)
      connections.removeAll()
      return (isFirstAnswered, last.read(until: "ok\n").hasPrefix("HTTP/1.1 200 "), Self.isReady(port))
    }
    #expect(found == (true, true, true))
  }

  @Test(
    arguments: [
      ([], "fovea: Send this key in the header 'Authorization: Bearer KEY'.\n"), (["--json"], ""),
    ] as [([String], String)])
  func `a new key is printed with the header that sends it, apart from the key`(
    _ options: [String], _ messages: String
  ) async throws {
    let program = try #require(BuiltProgram.server)
    let folder = try TemporaryFolder()
    let made = try await ChildProcess.run(
      program, ["serve", "key", "add", "camera"] + options, environment: [:], folder: folder.path)
    #expect(made.code == 0 && made.messages == messages, "\(made)")
    #expect(made.output.hasPrefix(options.isEmpty ? "fovea_" : "{\"key\": \"fovea_"), "\(made)")
    #expect(made.output.split(separator: "\n").count == 1)
  }

  @Test func `a server without a writable folder answers all the same`() async throws {
    // A program that writes a byte to a file is killed by SIGXFSZ.
    let isReady = try await Self.serve(
      under: "ulimit -f 0", environment: ["HOME": "/nonexistent", "PATH": "/usr/bin:/bin"]
    ) { Self.isReady($0) }
    #expect(isReady)
  }

  @Test func `an image without memory is rejected, and the next one is answered`() async throws {
    let program = try #require(BuiltProgram.server)
    let port = try ReservedPort()
    let server = try ChildProcess(
      program, ["serve", "--listen", "127.0.0.1:\(port.number)", "--slots", "1"])
    let photo = try SmallFile.bytes(of: PackageRoot.path + "/Examples/photos/coffee.jpg", limit: 1 << 20)
    let first = try await onOwnThread { [number = port.number] in
      blockUntil { Self.isReady(number) }
      return try Self.detect(photo, number)
    }
    // 64 MiB more address space than it has, some of which each thread's heap may need.
    let limit = try Self.addresses(of: server.identifier) + 64 << 20
    let limited = try await ChildProcess.run(
      "/usr/bin/prlimit", ["--pid", "\(server.identifier)", "--as=\(limit)"])
    #expect(limited.code == 0, "\(limited.messages)")
    let answers = try await onOwnThread { [number = port.number] in
      defer { server.send(SIGTERM) }
      return [first, try Self.detect(Self.manyPixels, number), try Self.detect(photo, number)]
    }
    #expect(try await server.outcome().code == 0)
    #expect(answers[0].hasPrefix("HTTP/1.1 200 ") && answers[2].hasPrefix("HTTP/1.1 200 "), "\(answers)")
    #expect(answers[1].hasPrefix("HTTP/1.1 503 ") && answers[1].contains("out-of-memory"), "\(answers[1])")
    #expect(answers[1].lowercased().contains("retry-after: 5"))
  }

  /// The header of a PNG of 7,000 x 7,000 pixels, which need 147 MB before decoding.
  private static let manyPixels: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
    + [0, 0, 0x1B, 0x58, 0, 0, 0x1B, 0x58, 8, 2, 0, 0, 0, 0x16, 0xF9, 0x2C, 0xD8, 0, 0, 0, 1]
    + Array("IDAT".utf8)
    + [0, 0, 0, 0, 0]

  /// The address space of a process in bytes.
  private static func addresses(of process: Int32) throws -> Int {
    let text = String(
      decoding: try SmallFile.bytes(of: "/proc/\(process)/statm", limit: 1 << 10), as: UTF8.self)
    let pages = try #require(text.split(separator: " ").first.flatMap { Int($0) })
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// The complete response for an image.
  private static func detect(_ image: [UInt8], _ port: Int) throws -> String {
    let connection = try RawConnection(port: port, seconds: 100)
    connection.send(
      "POST /v1/detect HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: \(image.count)\r\n\r\n"
    )
    connection.send(image)
    return connection.readToEnd()
  }

  @Test func `model names are resolved at --host, even if the environment names another host`()
    async throws
  {
    let folder = try TemporaryFolder()
    let model = PackageRoot.path + "/Sources/C/CEmbeddedModels/models/coarse_int8.tflite"
    try folder.write("host/bird.tflite", try SmallFile.bytes(of: model, limit: 1 << 24))
    let config = try folder.write("serve.json", #"{"host": "host", "models": {"b": "bird"}}"#)
    let environment = [
      "FOVEA_MODELS": folder["models"], "FOVEA_MODEL_HOST": folder["nothing"], "PATH": "/usr/bin:/bin",
    ]
    for arguments in [
      ["--host", folder["host"], "--model", "a=bird", "--model", "bird"], ["--config", config],
    ] {
      let body = try await Self.serve(under: "true", arguments, environment: environment) { port in
        let connection = try RawConnection(port: port)
        connection.send("GET /v1/models HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        return connection.readToEnd()
      }
      for name in arguments.contains("--config") ? ["b"] : ["a", "bird"] {
        #expect(body.contains(#""name": "\#(name)""#), "\(body)")
      }
      #expect(body.contains(#""place": "host: bird""#) || body.contains(#""task": "label""#), "\(body)")
    }
  }

  @Test func `a live connection is told that the server ends`() async throws {
    let program = try #require(BuiltProgram.server)
    let port = try ReservedPort()
    let server = try ChildProcess(program, ["serve", "--listen", "127.0.0.1:\(port.number)"])
    let (farewell, code) = try await onOwnThread { [number = port.number] in
      blockUntil { Self.isReady(number) }
      let client = try WebSocketClient(port: number, path: "/v1/live")
      client.send(.text(#"{"type": "start"}"#))
      _ = try client.text(with: "ready")
      server.send(SIGTERM)
      return (try client.text(with: "retryAfterSeconds"), try client.closeCode())
    }
    #expect(farewell?.contains("\"type\": \"draining\"") == true && code == 1001)
    #expect(try await server.outcome().code == 0)
  }

  struct BadStart: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let arguments: String
    var files: [String: String] = [:]
    var code: Int32 = 1
    let line: String
  }

  static let badStarts = [
    BadStart(
      testDescription: "a port that is taken", arguments: "--listen 127.0.0.1:PORT",
      line: "Cannot listen on 127.0.0.1:PORT: the address is in use"),
    BadStart(
      testDescription: "a port for health that is taken", arguments: "--admin 127.0.0.1:PORT",
      line: "fovea: Cannot listen on 127.0.0.1:PORT: the address is in use"),
    BadStart(
      testDescription: "another machine's address", arguments: "--listen 192.0.2.1:0 --open",
      line: "Cannot listen on 192.0.2.1:0: the address does not belong to this machine"),
    BadStart(
      testDescription: "all addresses without keys", arguments: "--listen 0.0.0.0:0", code: 64,
      line: "give --keys, or --open"),
    BadStart(
      testDescription: "no model with that name", arguments: "--model m=none",
      line:
        "There is no file and no model named 'none'. Check the name; 'fovea model list' lists the models."
    ),
    BadStart(
      testDescription: "two models with one name", arguments: "--model m=detector --model m=localizer",
      line: "Two models are named 'm'"),
    BadStart(
      testDescription: "a folder with two models with one name", arguments: "--models .",
      files: ["x.tflite": "", "x/y.tflite": ""], line: "has two models named 'x'"),
    BadStart(testDescription: "a folder without models", arguments: "--models .", line: "has no models"),
    BadStart(
      testDescription: "a key that does not fit", arguments: "--tls-cert c.pem --tls-key k.pem",
      files: ["c.pem": TestCertificate.valid.certificate, "k.pem": TestCertificate.expired.privateKey],
      line: "does not match the certificate"),
    BadStart(
      testDescription: "a configuration with an unknown member", arguments: "--config serve.json",
      files: ["serve.json": #"{"slot": 1}"#],
      line: "has 'slot', which is not an option of 'fovea serve'. Did you mean 'slots'?\n"),
    BadStart(
      testDescription: "a configuration with an invalid option", arguments: "--config serve.json",
      files: ["serve.json": #"{"deadline": "soon"}"#],
      line: "fovea: The configuration 'serve.json' has an invalid option: The value 'soon'"),
    BadStart(
      testDescription: "a folder whose models are all broken", arguments: "--models .",
      files: ["x.tflite": "no model", "y.tflite": "neither"],
      line:
        "No model in the folder . can be loaded (2 in total); the first: './x.tflite' is not a TFLite model"
    ),
    BadStart(
      testDescription: "a source with a label unknown to its model", arguments: "--config serve.json",
      files: ["serve.json": #"{"sources": {"gate": {"source": "rtsp://h/1", "allow": ["unicorn"]}}}"#],
      line: "The source 'gate': 'unicorn' is not a label of 'default'"),
    BadStart(
      testDescription: "invalid keys", arguments: "--keys keys.json", files: ["keys.json": "{"],
      line: "keys.json"),
  ]

  @Test(arguments: badStarts) func `a model that cannot be served ends the start with a remedy`(
    _ test: BadStart
  )
    async throws
  {
    let program = try #require(BuiltProgram.server)
    let folder = try TemporaryFolder()
    let taken = try LoopbackServer { _, _ in LoopbackServer.Reply() }
    defer { taken.stop() }
    let port = String(taken.url.split(separator: ":").last ?? "")
    for (name, content) in test.files { try folder.write(name, content) }
    let listen = test.arguments.contains("--listen") ? [] : ["--listen", "127.0.0.1:0"]
    let words = test.arguments.replacing("PORT", with: port).split(separator: " ").map(String.init)
    let outcome = try await ChildProcess.run(
      program, ["serve"] + listen + words, environment: ["HOME": folder.path], folder: folder.path,
      limit: .seconds(120))
    #expect(outcome.code == test.code && outcome.output.isEmpty, "\(outcome.messages)")
    #expect(
      outcome.messages.contains(test.line.replacing("PORT", with: port)), "\(outcome.messages)")
  }
}
#endif
