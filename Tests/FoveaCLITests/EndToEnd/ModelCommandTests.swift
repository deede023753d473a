// SPDX-License-Identifier: Apache-2.0

import Foundation
import Fovea
import FoveaTesting
import Testing

@testable import FoveaCLI

/// The built program with a local server: using models by name.
@Suite(
  .enabled(if: BuiltProgram.path != nil, "needs the program next to the tests: swift build --product fovea"))
struct ModelCommandTests {
  typealias Outcome = ChildProcess.Outcome

  /// Runs the program with its own store.
  static func fovea(
    _ arguments: [String], in folder: TemporaryFolder, variables: [String: String] = [:],
    shell: String? = nil, afterStart: (ChildProcess) async throws -> Void = { _ in }
  ) async throws -> Outcome {
    let program = try #require(BuiltProgram.path)
    var environment = ProcessInfo.processInfo.environment
    for name in ["http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"] {
      environment[name] = nil
    }
    environment["FOVEA_MODELS"] = folder["models"]
    environment.merge(variables) { $1 }
    let process =
      if let shell {
        try ChildProcess(
          "/bin/sh", ["-c", shell + "; exec \"$0\" \"$@\"", program] + arguments, environment: environment)
      } else {
        try ChildProcess(program, arguments, environment: environment)
      }
    try await afterStart(process)
    return try await process.outcome()
  }

  private static let coco = "coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite"
  private static let name = "coco-ssd-mobilenet-v1"
  private static let photo = PackageRoot.path + "/Examples/photos/cat.jpg"

  /// A mirror with one model.
  private static func mirror(
    _ change: @escaping @Sendable (inout LoopbackServer.Reply, Int) -> Void = { _, _ in }
  ) throws -> LoopbackServer {
    let bytes = try SharedData.bytes("models/detect/" + coco)
    return try LoopbackServer { request, number in
      guard request.target == "/models/" + coco else { return LoopbackServer.Reply(status: 404) }
      var reply = LoopbackServer.Reply.file(bytes, for: request)
      change(&reply, number)
      return reply
    }
  }

  @Test(.enabled(if: SharedData.isPresent, "\(SharedData.missing)"))
  func `a pulled model is used by name`() async throws {
    let server = try Self.mirror()
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let pull = try await Self.fovea(
      ["model", "pull", Self.name, "--host", server.url + "/models", "--yes"], in: folder)
    #expect(pull.code == 0)
    #expect(pull.output == folder["models/\(Self.name)/61d598093ed03ed4/model.tflite"] + "\n")
    #expect(
      pull.messages == """
        coco-ssd-mobilenet-v1
          task     detect, 80 labels, input 300 × 300
          size     4.2 MB (4,185,023 bytes)
          licence  Apache-2.0
          from     \(server.url)/models/\(Self.coco)
          into     \(folder["models/coco-ssd-mobilenet-v1"])
        fovea: installed; use it with: fovea detect photo.jpg --model coco-ssd-mobilenet-v1

        """)
    server.stop()
    let detect = try await Self.fovea(
      ["detect", Self.photo, "--model", Self.name, "--threshold", "0.5"], in: folder)
    #expect(detect.code == 0 && detect.output.contains(/\n  cat  0\.[67]\d  at/), "\(detect)")
    let bench = try await Self.fovea(
      ["bench", Self.photo, "--model", Self.name, "--repetitions", "1", "--json"], in: folder)
    #expect(bench.code == 0 && bench.output.contains("\"\(Self.name)\""), "\(bench)")
    let inspect = try await Self.fovea(["model", "inspect", Self.name], in: folder)
    #expect(inspect.code == 0 && inspect.output.contains("ssd-postprocess"), "\(inspect)")
    let verify = try await Self.fovea(["model", "verify"], in: folder)
    #expect(verify.code == 0 && verify.output.hasPrefix("\(Self.name)  ok  4,185,023 bytes  61d598"))
    let again = try await Self.fovea(["model", "pull", Self.name], in: folder)
    #expect(again.code == 0 && again.output == pull.output)
    let remove = try await Self.fovea(["model", "remove", Self.name], in: folder)
    #expect(remove.code == 0 && remove.output == "removed \(Self.name)\n")
    let list = try await Self.fovea(["model", "list"], in: folder)
    #expect(list.code == 0 && !list.output.contains("installed"))
  }

  @Test(.enabled(if: SharedData.isPresent, "\(SharedData.missing)"))
  func `Ctrl-C keeps the downloaded bytes, and the next pull continues`() async throws {
    let server = try Self.mirror { reply, number in if number == 0 { reply.stallAfter = 1_000_000 } }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let arguments = ["model", "pull", Self.name, "--host", server.url + "/models", "--yes"]
    let part = folder["models/.partial/61d598093ed03ed41aa47c3a39a28ac01e960d6a810a5419b9a5016a1e9c469b.part"]
    let cut = try await Self.fovea(arguments, in: folder) { process in
      try await waitUntil("a megabyte has arrived") { Self.size(part) >= 1_000_000 || !process.isRunning }
      process.interrupt()
    }
    #expect(cut.code == 130, "\(cut)")
    #expect(
      cut.messages.hasSuffix(
        "fovea: interrupted. 'fovea model pull \(Self.name)' continues where it ended.\n"))
    #expect(Self.size(part) == 1_000_000)
    let rest = try await Self.fovea(arguments, in: folder)
    #expect(rest.code == 0, "\(rest)")
    #expect(rest.messages.contains("  present  1.0 MB of an earlier download, which is continued\n"))
    #expect(server.requests.last?.headers["range"] == "bytes=1000000-")
    #expect(try await Self.fovea(["model", "verify", Self.name], in: folder).code == 0)
  }

  @Test(.enabled(if: SharedData.isPresent, "\(SharedData.missing)"))
  func `a full disk is reported, and the next pull continues`() async throws {
    let server = try Self.mirror()
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let arguments = ["model", "pull", Self.name, "--host", server.url + "/models", "--yes"]
    // The limit on a file's size, in blocks of 512 or 1,024 bytes, depending on the shell.
    let full = try await Self.fovea(arguments, in: folder, shell: "ulimit -f 2000")
    #expect(full.code == 1, "\(full)")
    #expect(
      full.messages.contains(
        "cannot be written: File too large. Raise the limit on the size of files (ulimit -f)"))
    let rest = try await Self.fovea(arguments, in: folder)
    #expect(rest.code == 0 && rest.messages.contains("  present  "), "\(rest)")
    #expect(server.requests.last?.headers["range"] != nil)
  }

  @Test(.enabled(if: SharedData.isPresent, "\(SharedData.missing)"))
  func `two programs that pull the same model do not harm each other`() async throws {
    let server = try Self.mirror()
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let arguments = ["model", "pull", Self.name, "--host", server.url + "/models", "--yes", "-q"]
    var other: Outcome?
    let one = try await Self.fovea(arguments, in: folder) { _ in
      other = try await Self.fovea(arguments, in: folder)
    }
    #expect(one.code == 0 && other?.code == 0)
    #expect(one.output == other?.output)
    #expect(server.requests.filter { $0.method == "GET" }.count == 1)
  }

  @Test(.enabled(if: SharedData.isPresent, "\(SharedData.missing)"))
  func `a damaged model is found, and a pull replaces it`() async throws {
    let server = try Self.mirror()
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let arguments = ["model", "pull", Self.name, "--host", server.url + "/models", "--yes", "-q"]
    let path = String(try await Self.fovea(arguments, in: folder).output.dropLast())
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.seek(toOffset: 2_000_000)
    try handle.write(contentsOf: Data([1, 2, 3]))
    try handle.close()
    let verify = try await Self.fovea(["model", "verify"], in: folder)
    #expect(verify.code == 1 && verify.output == "\(Self.name)  damaged\n")
    #expect(verify.messages.contains("Download it again with 'fovea model pull \(Self.name)'."))
    #expect(try await Self.fovea(arguments, in: folder).code == 0)
    #expect(try await Self.fovea(["model", "verify"], in: folder).code == 0)
  }

  @Test func `the embedded models are in the list`() async throws {
    let folder = try TemporaryFolder()
    let text = try await Self.fovea(["model", "list"], in: folder)
    #expect(
      text.output.split(separator: "\n").prefix(4).map { $0.split(separator: " ").joined(separator: " ") }
        == [
          "NAME TASK SIZE LICENCE STATE FROM", "detector detect 1.7 MB Apache-2.0 embedded –",
          "localizer detect 2.7 MB Apache-2.0 embedded –", "classifier label 2.9 MB Apache-2.0 embedded –",
        ])
    let json = try await Self.fovea(["model", "list", "--json"], in: folder)
    #expect(
      json.output.contains(
        #""models": [{"name": "detector", "task": "detect", "family": null, "labels": null, "input": null, "#
          + #""license": "Apache-2.0", "bytes": "#), "\(json.output)")
    #expect(
      json.output.contains(
        #""sha256": null, "state": "embedded", "path": null, "from": "embedded", "version": null}, {"name": "localizer""#
      ), "\(json.output)")
  }

  @Test(arguments: [
    ("localiser", "localizer"), ("Detector", "detector"), ("coco-ssd-mobilenet", "coco-ssd-mobilenet-v1"),
  ])
  func `a misspelt name is answered with the nearest one`(_ wrong: String, _ right: String) throws {
    let error = #expect(throws: FoveaError.self) { try ModelLookup.source(wrong) as ModelSource }
    #expect(error?.message == "There is no file and no model named '\(wrong)'")
    #expect(
      error?.remedy.description.hasPrefix("Did you mean \(right)") == true,
      "\(error?.remedy.description ?? "")")
  }

  @Test func `a file that is not the model is not installed`() async throws {
    let server = try LoopbackServer { _, _ in LoopbackServer.Reply(body: Array("not a model".utf8)) }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let pull = try await Self.fovea(["model", "pull", Self.name, "--host", server.url, "--yes"], in: folder)
    #expect(pull.code == 1 && pull.output == "")
    #expect(
      pull.messages.hasSuffix(
        "fovea: The server sends 11 bytes instead of 4185023. Download it again later, or set another host with --host.\n"
      ))
    #expect(!folder.exists("models/" + Self.name))
  }

  @Test func `without a terminal no question is asked, and nothing is downloaded`() async throws {
    let server = try LoopbackServer { _, _ in LoopbackServer.Reply() }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let pull = try await Self.fovea(["model", "pull", Self.name, "--host", server.url], in: folder)
    #expect(pull.code == 64)
    #expect(pull.messages.contains("  licence  Apache-2.0\n"))
    #expect(pull.messages.hasSuffix("standard input is not a terminal. Pass --yes to accept.\n"))
    #expect(server.connections == 0)
  }

  /// Without `--host` a model comes from `https://`; a proxy in the environment sees each connection.
  @Test func `only a pull opens a connection`() async throws {
    let proxy = try LoopbackServer { _, _ in LoopbackServer.Reply(status: 403) }
    defer { proxy.stop() }
    let folder = try TemporaryFolder()
    var variables = ["https_proxy": proxy.url, "HTTPS_PROXY": proxy.url, "no_proxy": "", "NO_PROXY": ""]
    variables["http_proxy"] = proxy.url
    variables["all_proxy"] = proxy.url
    for arguments in [
      ["detect", Self.photo], ["detect", Self.photo, "--model", Self.name],
      ["detect", Self.photo, "--classifier", "object-labeler"],
      ["label", Self.photo, "-m", "object-labeler"],
      ["bench", Self.photo, "--model", Self.name], ["model", "inspect", Self.name], ["model", "list"],
      ["model", "list", "--json"], ["model", "verify"], ["model", "verify", Self.name],
      ["model", "remove", Self.name], ["detect", "https://example.invalid/a.jpg"], ["--version"],
    ] {
      let outcome = try await Self.fovea(arguments, in: folder, variables: variables)
      if arguments.contains(Self.name) {
        #expect(outcome.code == (["detect", "bench"].contains(arguments[0]) ? 2 : 1))
        #expect(
          outcome.messages
            == "fovea: The model '\(Self.name)' is not installed. Download it (4.2 MB, Apache-2.0) with 'fovea model"
            + " pull \(Self.name)'.\n")
      }
      #expect(proxy.connections == 0, "\(arguments)")
    }
    // Proves that the proxy would have seen it.
    let pull = try await Self.fovea(["model", "pull", Self.name, "--yes"], in: folder, variables: variables)
    #expect(pull.code == 1 && proxy.connections == 1)
    #expect(proxy.requests.map(\.method) == ["CONNECT"])
    #expect(proxy.requests.map(\.target) == ["storage.googleapis.com:443"])
  }

  @Test func `each command explains what is wrong with a name`() async throws {
    let folder = try TemporaryFolder()
    for arguments in [
      ["detect", Self.photo, "--model", "coco-ssd-mobile"],
      ["label", Self.photo, "--model", "coco-ssd-mobile"],
      ["bench", Self.photo, "--model", "coco-ssd-mobile"], ["model", "inspect", "coco-ssd-mobile"],
      ["detect", Self.photo, "--classifier", "coco-ssd-mobile"],
    ] {
      let outcome = try await Self.fovea(arguments, in: folder)
      #expect(outcome.code == (arguments[0] == "model" ? 1 : 2) && outcome.output == "")
      #expect(
        outcome.messages
          == "fovea: There is no file and no model named 'coco-ssd-mobile'. Did you mean coco-ssd-mobilenet-v1? 'fovea model"
          + " list' shows all.\n")
    }
  }

  private static func size(_ path: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
  }
}
