// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaTesting
import Testing

/// The host's command for an uploaded file: `fovea model inspect FILE --run --json --sealed`.
@Suite(
  .enabled(if: BuiltProgram.path != nil, "needs the program next to the tests: swift build"))
struct SealedModelTests {
  private static let fixtures = PackageRoot.path + "/Tests/Fixtures/models/"

  private static func arguments(_ model: String) -> [String] {
    [
      "model", "inspect", model, "--run", "--json", "--limit-memory", "4294967296", "--limit-seconds", "30",
      "--sealed",
    ]
  }

  /// The output without the figures of the run, which vary.
  private static func facts(_ outcome: ChildProcess.Outcome) -> Substring {
    outcome.output.firstRange(of: "\"run\":").map { outcome.output[..<$0.lowerBound] } ?? outcome.output[...]
  }

  /// Models of floats and of bytes, with loops, post-processing, labels and metadata; shared ones are larger.
  static let models: [String] =
    [
      "efficientdet", "ssd_postprocess", "classifier_uint8", "yolov8", "yolov8_int8", "fomo_int8",
      "grey_int8",
      "described_classify", "described_detect", "lstm_ssd", "yolox_nms", "logits_softmax", "segmentation",
    ].map { fixtures + $0 + ".tflite" }
    + ["localizer_int8", "detector80_int8"].map {
      PackageRoot.path + "/Sources/C/CEmbeddedModels/models/\($0).tflite"
    }

  static let shared: [String] = [
    "models/detect/yolox_nano.tflite", "models/detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite",
    "models/classify/coral_mobilenet_v2_1.0_224_inat_bird_quant.tflite", "models/classify/mlkit_bird.tflite",
    "models/classify/tfls_mobilenet_v1_0.25_224_1_metadata_1.tflite",
  ]

  private static func expectSame(_ model: String) async throws {
    let program = try #require(BuiltProgram.path)
    let sealed = try await ChildProcess.run(program, arguments(model))
    let open = try await ChildProcess.run(program, arguments(model).dropLast())
    #expect(sealed.code == open.code && sealed.messages == open.messages, "\(model): \(sealed.messages)")
    #expect(facts(sealed) == facts(open))
    #expect(sealed.code != 0 || sealed.output.contains("\"milliseconds\""))
  }

  @Test(arguments: models)
  func `a sandboxed model gives the same results`(model: String) async throws {
    try await Self.expectSame(model)
  }

  @Test(.enabled(if: SharedData.isPresent, "\(SharedData.missing)"), arguments: shared)
  func `a larger sandboxed model runs, too`(model: String) async throws {
    try await Self.expectSame(SharedData.path(model))
  }

  /// A line of `/proc/NUMBER/status`.
  private static func status(_ number: Int32, _ name: String) -> String? {
    guard let bytes = try? SmallFile.bytes(of: "/proc/\(number)/status", limit: 1 << 20) else { return nil }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first {
      $0.hasPrefix(name + ":")
    }
    return line.map { String($0.dropFirst(name.utf8.count + 1).drop { $0 == "\t" || $0 == " " }) }
  }

  @Test(.enabled(if: FileStatus(FilePath("/proc/self/fd")) != nil, "the system does not show processes"))
  func `while a model runs, its process is sandboxed and has only its three streams`() async throws {
    let program = try #require(BuiltProgram.path)
    let child = try ChildProcess(program, Self.arguments(Self.fixtures + "endless.tflite"))
    defer { child.send(SIGKILL) }
    // Mode 2 is a filter, which applies to all threads.
    try await waitUntil("it is sandboxed") {
      Self.status(child.identifier, "Seccomp") == "2" || !child.isRunning
    }
    #expect(Self.status(child.identifier, "Seccomp") == "2")
    #expect(Self.status(child.identifier, "NoNewPrivs") == "1")
    #expect(OpenDescriptors.shared(by: child.identifier) == [0, 1, 2])
    let limits = try SmallFile.bytes(of: "/proc/\(child.identifier)/limits", limit: 1 << 20)
    let lines = String(decoding: limits, as: UTF8.self).split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("Max file size") && $0.contains(" 16777216 ") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("Max core file size") && $0.contains(" 0 ") }, "\(lines)")
    #expect(!lines.contains { $0.hasPrefix("Max processes") && $0.contains("unlimited") }, "\(lines)")
    let threads = try Folder.names(in: "/proc/\(child.identifier)/task")
    #expect(threads.compactMap { Int32($0) }.allSatisfy { Self.status($0, "Seccomp") ?? "2" == "2" })
  }

  @Test(arguments: [[], ["--sealed"]])
  func `a model that never ends is ended by the signal of the limit`(_ more: [String]) async throws {
    let program = try #require(BuiltProgram.path)
    let model = Self.fixtures + "endless.tflite"
    let outcome = try await ChildProcess.run(
      program, ["model", "inspect", model, "--run", "--limit-seconds", "1"] + more)
    #expect(outcome.code == 128 + SIGXCPU, "\(outcome.messages)")
  }

  @Test func `a process always ends with its parent`() async throws {
    let program = try #require(BuiltProgram.path)
    // The shell is the parent; it prints the process's id and waits for it.
    let shell = try ChildProcess(
      "/bin/sh",
      [
        "-c", "export FOVEA_PARENT=$$; program=$1; shift; \"$program\" \"$@\" & echo $! > \"$0\"; wait",
      ] + [temporary["number"], program] + Self.arguments(Self.fixtures + "endless.tflite"))
    try await waitUntil("it is sandboxed") { Self.status(number, "Seccomp") == "2" || !shell.isRunning }
    let running = number
    #expect(running > 0 && Self.status(running, "State") != nil)
    shell.send(SIGKILL)
    // A process that no one has waited for yet is a zombie.
    try await waitUntil("it has ended") { Self.status(running, "State")?.hasPrefix("Z") ?? true }
  }

  @Test func `a process whose parent has ended does not start`() async throws {
    let program = try #require(BuiltProgram.path)
    let outcome = try await ChildProcess.run(program, ["--version"], environment: ["FOVEA_PARENT": "1"])
    #expect(outcome.code == 1 && outcome.output.isEmpty && outcome.messages.isEmpty)
    let own = try await ChildProcess.run(program, ["--version"], environment: ["FOVEA_PARENT": "\(getpid())"])
    #expect(own.code == 0 && !own.output.isEmpty)
  }

  private let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  /// The id that the shell has written; 0 before.
  private var number: Int32 {
    Int32((try? temporary.read("number"))?.split(separator: "\n").first ?? "") ?? 0
  }
}
