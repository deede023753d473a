// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting
import Testing

@testable import FoveaCLI

/// The built program with a host that publishes versions.
@Suite(
  .enabled(if: BuiltProgram.path != nil, "needs the program next to the tests: swift build --product fovea"))
struct HostedModelCommandTests {
  private static let first = PublishingServer.Version(1, ModelServer.classifier)
  private static let second = PublishingServer.Version(2, ModelServer.detector)

  private static func fovea(
    _ arguments: [String], in folder: TemporaryFolder, host: PublishingServer?
  ) async throws -> ChildProcess.Outcome {
    try await ModelCommandTests.fovea(
      arguments, in: folder, variables: ["FOVEA_MODEL_HOST": host?.address ?? "", "no_proxy": "127.0.0.1"])
  }

  private static func path(_ version: PublishingServer.Version, in folder: TemporaryFolder) -> String {
    folder["models/.hosted/bird/\(version.sha256.prefix(16))/model.tflite"]
  }

  @Test func `a model of a host is pulled, listed, verified, rolled back and removed by its name`()
    async throws
  {
    let host = try PublishingServer(Self.first)
    let folder = try TemporaryFolder()
    let pull = try await Self.fovea(["model", "pull", "bird"], in: folder, host: host)
    #expect(pull.code == 0 && pull.output == Self.path(Self.first, in: folder) + "\n", "\(pull)")
    #expect(pull.messages == "fovea: bird version 1 is installed now\n")
    let again = try await Self.fovea(["model", "pull", "bird"], in: folder, host: host)
    #expect(again.output == pull.output)
    #expect(again.messages == "fovea: bird version 1 is installed and intact\n")
    host.with { $0.stable = Self.second }
    let next = try await Self.fovea(["model", "pull", "bird", "-q"], in: folder, host: host)
    #expect(next.output == Self.path(Self.second, in: folder) + "\n" && next.messages == "")

    let list = try await Self.fovea(["model", "list"], in: folder, host: nil)
    let address = host.server.url.dropFirst("http://".count)
    #expect(list.output.contains(/bird +– +88\.6 kB +– +installed +/), "\(list.output)")
    #expect(list.output.contains("\(address), version 2\n"), "\(list.output)")
    let json = try await Self.fovea(["model", "list", "--json"], in: folder, host: nil)
    #expect(json.output.contains("\"from\": \"host\", \"version\": \"2\"}"), "\(json.output)")
    #expect(!(list.output + json.output).contains(PublishingServer.key))

    let verify = try await Self.fovea(["model", "verify"], in: folder, host: nil)
    #expect(verify.code == 0 && verify.output == "bird  ok  88,560 bytes  \(Self.second.sha256)\n")
    let inspect = try await Self.fovea(["model", "inspect", "bird"], in: folder, host: nil)
    #expect(inspect.code == 0 && inspect.output.contains(Self.second.sha256), "\(inspect)")
    let back = try await Self.fovea(["model", "rollback", "bird"], in: folder, host: nil)
    #expect(back.code == 0 && back.output == Self.path(Self.first, in: folder) + "\n")
    let kept = try await Self.fovea(["model", "pull", "bird", "-q"], in: folder, host: host)
    #expect(kept.output == back.output)
    let remove = try await Self.fovea(["model", "remove", "bird"], in: folder, host: nil)
    #expect(remove.code == 0 && remove.output == "removed bird\n")
    let gone = try await Self.fovea(["model", "rollback", "bird"], in: folder, host: nil)
    #expect(gone.code == 1, "\(gone)")
    #expect(
      try await Self.fovea(["model", "verify"], in: folder, host: nil).output == "no model is installed\n")
  }

  @Test(arguments: [
    (
      "bird", "https://models.example/folder",
      "Download it from your model host with 'fovea model pull bird', or check the name."
    ),
    ("bird", " ", "Check the name; 'fovea model list' lists the models."),
    (
      "coco-ssd-mobile", "https://models.example/folder",
      "Did you mean coco-ssd-mobilenet-v1? If not, 'fovea model pull coco-ssd-mobile' downloads it from "
        + "your model host."
    ),
    ("coco-ssd-mobile", "", "Did you mean coco-ssd-mobilenet-v1? 'fovea model list' shows all."),
  ])
  func `an unknown name is explained by the host's download if a host is set`(
    _ name: String, _ host: String, _ remedy: String
  ) async throws {
    let folder = try TemporaryFolder()
    for command in ["detect", "label", "track"] {
      let run = try await ModelCommandTests.fovea(
        [command, "none", "--model", name], in: folder, variables: ["FOVEA_MODEL_HOST": host])
      #expect(run.code == 2 && run.output == "", "\(run)")
      #expect(run.messages == "fovea: There is no file and no model named '\(name)'. \(remedy)\n")
    }
  }

  @Test func `a host is named by --host, in a folder with spaces and letters of all kinds`() async throws {
    let host = try PublishingServer(Self.first)
    let folder = try TemporaryFolder()
    for name in ["with spaces", "Bücher/日本", "-dash", "a'b\"c"] {
      let pull = try await ModelCommandTests.fovea(
        ["model", "pull", "bird", "--host", host.address], in: folder,
        variables: ["FOVEA_MODELS": folder[name], "FOVEA_MODEL_HOST": "", "no_proxy": "127.0.0.1"])
      let path = folder[name] + "/.hosted/bird/\(Self.first.sha256.prefix(16))/model.tflite"
      #expect(pull.code == 0 && pull.output == path + "\n", "\(pull)")
      #expect(FileManager.default.contents(atPath: path).map { Array($0) } == Self.first.bytes)
    }
  }

  @Test func `a missing name is reported in the host's words, without its key`() async throws {
    let host = try PublishingServer(nil)
    let folder = try TemporaryFolder()
    let pull = try await Self.fovea(["model", "pull", "bird"], in: folder, host: host)
    #expect(pull.code == 1 && pull.output == "")
    #expect(
      pull.messages.contains(
        "models/bird:download?key=… answered with status 404 (Requested entity was not found.)"), "\(pull)")
    #expect(!pull.messages.contains(PublishingServer.key))
    let unknown = try await Self.fovea(["model", "pull", "bird"], in: folder, host: nil)
    #expect(
      unknown.code == 1 && unknown.messages.hasPrefix("fovea: There is no model named 'bird'"), "\(unknown)")
  }
}
