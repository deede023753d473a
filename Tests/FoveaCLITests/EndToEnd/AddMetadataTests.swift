// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting
import Testing

/// The built program: adding labels, normalisation and threshold to a model.
@Suite(
  .enabled(if: BuiltProgram.path != nil, "needs the program next to the tests: swift build --product fovea"))
struct AddMetadataTests {
  /// A folder with a float32 classifier of three classes and its labels.
  static func folder(_ labels: String = "red\ngreen\nblue\n") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      atPath: ModelCheckTests.model("colors_unit"), toPath: folder["model.tflite"])
    try folder.write("labels.txt", labels)
    return folder
  }

  static func add(
    _ arguments: String..., to folder: TemporaryFolder, shell: String? = nil
  ) async throws -> ModelCommandTests.Outcome {
    try await ModelCommandTests.fovea(
      ["model", "add-metadata", folder["model.tflite"], "--normalize", "0,255"] + arguments, in: folder,
      shell: shell)
  }

  static func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  @Test func `a described model is accepted by ML Kit, with its own labels`() async throws {
    let folder = try Self.folder()
    try folder.write("de.txt", "rot\ngrün\nblau\n")
    let added = try await Self.add(
      "--labels", folder["labels.txt"], "--locale-labels", "de=\(folder["de.txt"])", "--threshold", "0.1",
      "--output", folder["new.tflite"], to: folder)
    #expect(added.code == 0 && added.messages == "", "\(added)")
    #expect(
      added.output == """
        \(folder["new.tflite"])
          labels     3 (de): red, green, blue
          normalise  mean 0.0, deviation 255.0
          threshold  0.1
          ML Kit accepts the model, and so does Fovea.

        """)
    let check = try await ModelCheckTests.fovea("check", folder["new.tflite"], in: folder)
    #expect(check.code == 0, "\(check)")
    let photo = PackageRoot.path + "/Examples/photos/cat.jpg"
    let german = try await ModelCommandTests.fovea(
      ["label", photo, "--model", folder["new.tflite"], "--locale", "de"], in: folder)
    #expect(german.code == 0 && german.output.contains("rot"), "\(german)")
    #expect(!folder.exists("new.tflite.partial"))
  }

  @Test func `the model itself may be the output, and is replaced whole or not at all`() async throws {
    let folder = try Self.folder()
    let before = try Self.bytes(folder["model.tflite"])
    let added = try await Self.add("--labels", folder["labels.txt"], "-o", folder["model.tflite"], to: folder)
    #expect(added.code == 0, "\(added)")
    let after = try Self.bytes(folder["model.tflite"])
    #expect(after != before && after.count > before.count)
    // Existing descriptions stay unchanged.
    let again = try await Self.add("--labels", folder["labels.txt"], "-o", folder["model.tflite"], to: folder)
    #expect(try again.code == 0 && Self.bytes(folder["model.tflite"]) == after)
  }

  @Test func `no text follows a model on standard output`() async throws {
    let folder = try Self.folder()
    let added = try await Self.add("-o", folder["new.tflite"], to: folder)
    #expect(added.code == 0, "\(added)")
    let streamed = try await Self.add(
      "-o", "/proc/self/fd/1", to: folder, shell: "exec > '\(folder["o.bin"])'")
    #expect(streamed.code == 0 && streamed.output == "", "\(streamed)")
    #expect(try Self.bytes(folder["o.bin"]) == Self.bytes(folder["new.tflite"]))
    #expect(!folder.exists("o.bin.partial"))
  }

  @Test func `a replaced file keeps its permissions, and a link stays a link`() async throws {
    let folder = try Self.folder()
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder["model.tflite"])
    try files.createSymbolicLink(atPath: folder["link.tflite"], withDestinationPath: "model.tflite")
    let before = try Self.bytes(folder["model.tflite"])
    let added = try await Self.add("-o", folder["link.tflite"], to: folder)
    #expect(added.code == 0, "\(added)")
    #expect(try files.destinationOfSymbolicLink(atPath: folder["link.tflite"]) == "model.tflite")
    #expect(try Self.bytes(folder["model.tflite"]) != before)
    #expect(
      try files.attributesOfItem(atPath: folder["model.tflite"])[.posixPermissions] as? Int == 0o600)
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var labels = "red\ngreen\nblue\n"
    /// The output, in the folder unless it starts with a slash.
    var output = "new.tflite"
    var shell: String?
    var message: String
  }

  static let refusals = [
    Refusal(testDescription: "an empty label file", labels: "", message: "has no labels"),
    Refusal(
      testDescription: "one label too few", labels: "red\r\ngreen\r\n", message: "has 2 labels, but output 0"),
    Refusal(
      testDescription: "one label too many", labels: "red\ngreen\nblue\nwhite\n\n",
      message: "has 4 labels, but output 0"),
    Refusal(
      testDescription: "an output that is a folder", output: ".", message: "is a folder. Name a file in it"),
    Refusal(
      testDescription: "a missing folder", output: "none/new.tflite",
      message: "cannot be written: No such file or directory"),
    // Also as root.
    Refusal(
      testDescription: "a folder that is read-only", output: "/sys/new.tflite", message: "cannot be written: "
    ),
    Refusal(testDescription: "a full disk", output: "/dev/full", message: "failed: No space left on device"),
    Refusal(
      testDescription: "a limit on the size of files", shell: "ulimit -f 1",
      message: "failed: File too large. Raise the limit on the size of files (ulimit -f) or name another file"
    ),
    Refusal(
      testDescription: "the label file as output", output: "labels.txt",
      message: "the results would replace this file, which the command reads"),
  ]

  @Test(arguments: refusals)
  func `a failure leaves the model and the folder unchanged`(_ row: Refusal) async throws {
    let folder = try Self.folder(row.labels)
    let before = try Self.bytes(folder["model.tflite"])
    let output = row.output.hasPrefix("/") ? row.output : folder[row.output]
    let added = try await Self.add(
      "--labels", folder["labels.txt"], "--output", output, to: folder, shell: row.shell)
    #expect(added.code == 1 && added.output == "", "\(added)")
    #expect(added.messages.contains(row.message), "\(added)")
    #expect(try Self.bytes(folder["model.tflite"]) == before)
    #expect(try folder.read("labels.txt") == row.labels)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!left.contains { $0.hasPrefix("new.tflite") || $0.hasSuffix(".partial") }, "\(left)")
  }

  @Test(arguments: [
    ["--threshold", "1.5", "-o", "x"], ["--threshold", "-1", "-o", "x"], ["-o", ""], [],
    ["--labels", "", "-o", "x"],
    ["--locale-labels", "en", "-o", "x"], ["--locale-labels", "=f", "-o", "x"],
    ["--locale-labels", "en=", "-o", "x"],
    ["--locale-labels", "en=a", "--locale-labels", "en=b", "-o", "x"], ["--normalize", "1", "-o", "x"],
    ["--normalize", "0,0", "-o", "x"], ["--normalize", "0,-255", "-o", "x"],
  ])
  func `wrong arguments end with 64`(_ arguments: [String]) async throws {
    let folder = try Self.folder()
    let added = try await ModelCommandTests.fovea(
      ["model", "add-metadata", folder["model.tflite"]] + arguments, in: folder)
    #expect(added.code == 64 && added.output == "", "\(added)")
  }

  @Test func `hostile names reach neither the terminal nor anything outside the model`() async throws {
    let folder = try Self.folder("../../x\n\u{1B}[31mred\n{\"a\": 1}\n")
    let added = try await Self.add("--labels", folder["labels.txt"], "-o", folder["new.tflite"], to: folder)
    #expect(added.code == 0 && added.output.contains("3: ../../x, \\u{1b}[31mred, {\"a\": 1}"), "\(added)")
  }
}
