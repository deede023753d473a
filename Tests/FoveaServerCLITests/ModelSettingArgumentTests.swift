// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaInference
import Testing

@testable import FoveaServerCLI

@Suite struct ModelSettingArgumentTests {
  @Test(
    arguments: [
      (["serve", "--labels", "l.txt"], "labels"),
      (["serve", "--model", "a.tflite", "--labels=l.txt"], "labels"),
      (["serve", "--threshold", "0.5"], "threshold"), (["serve", "--normalize", "0,255"], "normalize"),
      (["serve", "--check-config", "--family", "yolov8"], "family"), (["serve"], nil),
      (["serve", "--labels-map", "l.json"], nil), (["serve", "--models", "m"], nil),
      (["serve", "--max-pixels", "9"], nil), (["serve", "--", "--labels"], nil),
      (["serve", "--labels", "--help"], nil), (["serve", "key", "add", "--labels"], nil),
      (["host", "--labels"], nil), ([], nil),
    ] as [([String], String?)])
  func `a model's option is answered with the place of its setting`(_ arguments: [String], _ name: String?) {
    let labels = name == "labels" ? ", or write them into the model with 'fovea model add-metadata'" : ""
    let text = name.map { name in
      "'fovea serve' has no option --\(name), because each model has its own setting. "
        + "Set '\(name)' for the model in the file of --config\(labels)."
    }
    #expect(ModelSettingArgument.problem(in: arguments) == text)
  }

  @Test(
    arguments: [
      (["serve", "--treshold", "0.5"], "threshold"), (["serve", "--treshold=0.5"], "threshold"),
      (["serve", "-m", "a.tflite", "--normalise", "0,255"], "normalize"),
      // Options of the server, correct and misspelt, and texts that resemble nothing.
      (["serve", "--max-pixels", "9"], nil), (["serve", "--modle", "a"], nil), (["serve", "--quux"], nil),
      (["serve", "--", "--treshold"], nil), (["serve", "key", "add", "--treshold"], nil),
    ] as [([String], String?)])
  func `a misspelt option of a model is answered with its name`(_ arguments: [String], _ name: String?) {
    let option = arguments.first { $0.hasPrefix("--") } ?? ""
    let text = name.map { name in
      "'fovea serve' has no option \(option.prefix { $0 != "=" }). If you mean '\(name)', set it for the model in "
        + "the file of --config, because each model has its own setting."
    }
    #expect(ModelSettingArgument.problem(in: arguments) == text)
  }

  @Test(
    arguments: [
      (["serve", "--port", "9000"], "serve", "port", 9000), (["serve", "--port=80"], "serve", "port", 80),
      (["serve", "-m", "a", "--bind", "0.0.0.0"], "serve", "bind", 8080),
      (["host", "serve", "--port", "--check"], "host serve", "port", 8080),
      (["serve", "--port", "70000"], "serve", "port", 8080),
      (["serve", "--address"], "serve", "address", 8080),
      (["host", "serve", "d", "--host", "0.0.0.0"], "host serve", "host", 8080),
      (["host", "serve", "d", "--host=models"], "host serve", "host", 8080),
      (["serve", "--ports"], nil, "", 0), (["serve", "--", "--port"], nil, "", 0),
      (["serve", "--port", "--help"], nil, "", 0), (["host", "publish", "--port"], nil, "", 0),
      (["serve", "key", "add", "--port"], nil, "", 0), ([], nil, "", 0),
    ] as [([String], String?, String, Int)])
  func `another server's name of --listen is answered with it`(
    _ arguments: [String], _ command: String?, _ name: String, _ port: Int
  ) {
    let text = command.map { command in
      "'fovea \(command)' has no option --\(name). "
        + "Give the address and the port with --listen, such as --listen 127.0.0.1:\(port)."
    }
    #expect(ForeignArgument.problem(in: arguments) == text)
  }

  @Test(
    arguments: [
      (["--host", "0.0.0.0"], "0.0.0.0", "0.0.0.0:8080"), (["--host=0.0.0.0"], "0.0.0.0", "0.0.0.0:8080"),
      (["--host", "::"], "::", "[::]:8080"), (["--host", "[::1]"], "[::1]", "[::1]:8080"),
      (["--host", "LocalHost"], "LocalHost", "LocalHost:8080"),
      (["-m", "a", "--host", "camera.local:9000"], "camera.local:9000", "camera.local:9000"),
      (["--host", "https://models.example/folder"], nil, ""), (["--host", "file:///models"], nil, ""),
      (["--host", "models"], nil, ""), (["--host", "../0.0.0.0"], nil, ""), (["--host", ""], nil, ""),
      (["--host"], nil, ""), (["--host", "0.0.0.0", "--help"], nil, ""), (["--", "--host", "::"], nil, ""),
      (["healthcheck", "--host", "::"], nil, ""),
    ] as [([String], String?, String)])
  func `an address to listen on is not taken for a model host`(
    arguments: [String], value: String?, address: String
  ) {
    let text = value.map { value in
      "--host \(value) is not a model host, from which 'fovea serve' downloads models. "
        + "Give the server's own address with --listen, such as --listen \(address)."
    }
    #expect(ForeignArgument.problem(in: ["serve"] + arguments) == text)
  }

  @Test func `no option of serve is answered as a model's`() {
    for name in ModelSettings.names where ModelSettingArgument.problem(in: ["serve", "--" + name]) != nil {
      let error = #expect(throws: (any Error).self) {
        try FoveaServerCommand.parseAsRoot(["serve", "--" + name])
      }
      let text = error.map { FoveaServerCommand.message(for: $0) } ?? ""
      #expect(text.hasPrefix("Unknown option '--\(name)'"), "\(text)")
    }
  }
}
#endif
