// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaFormats
import FoveaTesting
import Testing

@testable import FoveaCLI

/// Returns the name of the format instead of an image.
private struct FakeAnnotator: ImageAnnotator {
  func annotated(
    _ photo: Photo, with findings: DetectionRecord.Findings, as format: AnnotationFormat, hasThumbnail: Bool
  ) throws(FoveaError) -> AnnotatedPhoto {
    AnnotatedPhoto(file: Array("\(format) \(findings.count)".utf8))
  }
}

@Suite struct AnnotationTests {
  @Test func `annotated images keep their place below the folder`() async throws {
    let folder = try PhotoRunTests.album(["a.jpg", "b.PNG", "sub/a.webp", "bad.jpg", "c.heic", "d.TIFF"])
    let outcome = try await PhotoRunTests.run(
      [folder["in"], "-r", "--annotate", folder["out/deep"]], in: folder, annotator: FakeAnnotator())
    #expect(outcome.code == 1)
    #expect(try folder.read("out/deep/a.jpg") == "jpeg 1")
    #expect(try folder.read("out/deep/b.PNG") == "png 1")
    #expect(try folder.read("out/deep/sub/a.webp") == "webp 1")
    #expect(!folder.exists("out/deep/bad.jpg"))
    // Read-only formats are drawn into a JPEG.
    #expect(try folder.read("out/deep/c.heic.jpg") == "jpeg 1")
    #expect(try folder.read("out/deep/d.TIFF.jpg") == "jpeg 1")
  }

  @Test func `one image goes to one file`() async throws {
    let folder = try PhotoRunTests.album(["a.jpg"])
    let outcome = try await PhotoRunTests.run(
      [folder["in/a.jpg"], "--annotate", folder["new/b.png"]], in: folder, annotator: FakeAnnotator())
    #expect(outcome.code == 0)
    #expect(try folder.read("new/b.png") == "png 1")
  }

  @Test func `a photo is never replaced`() async throws {
    let folder = try PhotoRunTests.album(["a.jpg"])
    let outcome = try await PhotoRunTests.run(
      [folder["in"], "--annotate", folder["in"]], in: folder, annotator: FakeAnnotator())
    #expect(outcome.code == 1)
    #expect(
      outcome.errors.hasPrefix(
        "fovea: in/a.jpg: the annotated image would replace the photo itself. "
          + "Name another folder or file with --annotate."))
    #expect(try folder.read("in/a.jpg") == "")
  }

  @Test func `an annotated image that cannot be written stays to do, the others continue`() async throws {
    let folder = try PhotoRunTests.album(["a.jpg", "b.jpg"])
    try folder.write("out/a.jpg/in the way", "")
    let outcome = try await PhotoRunTests.run(
      [folder["in"], "--annotate", folder["out"]], in: folder, annotator: FakeAnnotator())
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("the annotated image 'out/a.jpg' cannot be written: Is a directory"))
    #expect(try folder.read("out/b.jpg") == "jpeg 1")
  }

  @Test func `two photos with one name do not replace each other`() async throws {
    let folder = try PhotoRunTests.album(["x/a.jpg", "y/a.jpg", "y/a-2.jpg"])
    let outcome = try await PhotoRunTests.run(
      [folder["in/x/a.jpg"], folder["in/y"], "--annotate", folder["out"]], in: folder,
      annotator: FakeAnnotator())
    #expect(outcome.code == 0)
    #expect(folder.exists("out/a.jpg") && folder.exists("out/a-2.jpg") && folder.exists("out/a-3.jpg"))
  }

  @Test func `two photos whose annotated images have one name do not replace each other`() async throws {
    let folder = try PhotoRunTests.album(["a.bmp", "a.bmp.jpg"])
    let outcome = try await PhotoRunTests.run(
      [folder["in"], "--annotate", folder["out"]], in: folder, annotator: FakeAnnotator())
    #expect(outcome.code == 0)
    #expect(folder.exists("out/a.bmp.jpg") && folder.exists("out/a.bmp-2.jpg"))
    #expect(
      outcome.errors.contains(
        "1 result has the same name as another and gets a number: 'in/a.bmp.jpg' as 'a.bmp-2.jpg'.\n"))
  }

  @Test func `a name as long as the file system allows is written`() async throws {
    let long = String(repeating: "a", count: 251)
    let folder = try PhotoRunTests.album(["\(long).jpg"])
    let outcome = try await PhotoRunTests.run(
      [folder["in"], "--annotate", folder["out"]], in: folder, annotator: FakeAnnotator())
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(folder.exists("out/\(long).jpg"))
    for format in ["voc", "yolo"] {
      let outcome = try await PhotoRunTests.run(
        [folder["in"], "--format", format, "-o", folder[format]], in: folder)
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
    #expect(folder.exists("voc/\(long).xml") && folder.exists("yolo/labels/\(long).txt"))
  }

  @Test func `links of a YOLO folder are never written among the photos that are searched`() async throws {
    let folder = try PhotoRunTests.album(["a.jpg"])
    let arguments = [folder["in"], "--format", "yolo", "-o", folder["in/"]]
    let refused = try await PhotoRunTests.run(arguments + ["-r"], in: folder)
    #expect(refused.code == 2)
    #expect(refused.errors.contains("the links to the photos would be among the photos"))
    #expect(!folder.exists("in/labels"))
    #expect(try await PhotoRunTests.run(arguments, in: folder).code == 0)
  }

  @Test(arguments: [
    ["--report", "x.png"], ["--output", "x.png", "--annotate", "x.png"],
    ["--report", "./a", "--output", "a"], ["--report", "link/a", "--output", "a"],
  ])
  func `two options never write one file`(_ options: [String]) async throws {
    let folder = try PhotoRunTests.album(["a.jpg"])
    try folder.link("link", to: folder.path)
    try folder.write("x.png", "old")
    let paths = options.map { $0.hasPrefix("--") ? $0 : folder[$0] }
    let outcome = try await PhotoRunTests.run(
      [folder["in/a.jpg"]] + paths, in: folder, annotator: FakeAnnotator())
    #expect(outcome.code == 2)
    // An existing photo is rejected earlier.
    let option = options[1] == "x.png" ? options[0] : "--report"
    #expect(outcome.errors.hasSuffix(". Name another file with \(option).\n"), "\(outcome.errors)")
    #expect(try folder.read("x.png") == "old")
    #expect(!folder.exists("a.partial"))
  }

  @Test func `a folder that cannot be created fails the image`() async throws {
    let folder = try PhotoRunTests.album(["a.jpg"])
    let outcome = try await PhotoRunTests.run(
      [folder["in"], "--annotate", folder["in/a.jpg/x"], "-q"], in: folder, annotator: FakeAnnotator())
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("Not a directory"))
  }

  @Test func `a folder without write permission gives the system's reason`() async throws {
    // In a separate process, which gives up root's right to write everywhere.
    await #expect(processExitsWith: .success) {
      let folder = try PhotoRunTests.album(["a.jpg"])
      try #require(unsafe chmod(folder["in"], 0o555) == 0)
      if geteuid() == 0 { try #require(seteuid(65534) == 0) }
      defer { _ = seteuid(getuid()) }
      let plan = AnnotationPlan(target: .folder(folder["in/new"]), annotator: FakeAnnotator())
      let image = InputImage(source: .file(FilePath(folder["in/a.jpg"])), relativePath: "a.jpg")
      let error = #expect(throws: FoveaError.self) {
        _ = try plan.annotate(
          Photo(.file("a.jpg")), of: image, with: Sample.findings, hasThumbnail: false)
      }
      #expect(error?.message.hasSuffix(": Permission denied") == true)
    }
  }

  @Test(arguments: [
    ("out", false), ("out.jpg", true), ("out/x.PNG", true), ("out.v2", false), (".jpg", false),
    ("out.gif/", false),
  ])
  func `an extension distinguishes a file from a folder`(_ argument: String, _ isFile: Bool) {
    #expect(AnnotationPlan.target(of: argument) == (isFile ? .file(argument) : .folder(argument)))
  }

  @Test func `an image extension that cannot be written is not a folder`() throws {
    let folder = try TemporaryFolder()
    try folder.write("there.gif/a", "")
    for (argument, ending) in [
      ("o.gif", "gif"), ("x/o.TIFF", "tiff"), ("o.gif/", nil), ("o", nil), ("o.v2", nil), (".gif", nil),
      (folder["there.gif"], nil),
    ] {
      #expect(AnnotationPlan.unwritableEnding(of: argument) == ending, "\(argument)")
    }
    let error = #expect(throws: (any Error).self) {
      try FoveaCommand.parseAsRoot(["detect", "a.jpg", "--annotate", "o.gif"])
    }
    #expect(
      error.map { FoveaCommand.message(for: $0) }
        == "--annotate writes .jpg, .png and .webp, not .gif; for a folder of this name, end it with '/'.")
  }

  @Test(arguments: [
    ("a.jpg", "out/a.jpg"), ("sub/a.PNG", "out/sub/a.PNG"), ("stdin", "out/stdin.jpg"),
    ("a.gif", "out/a.gif.jpg"),
  ])
  func `an image without an extension becomes a JPEG`(_ relative: String, _ expected: String) {
    let plan = AnnotationPlan(target: .folder("out"), annotator: FakeAnnotator())
    #expect(plan.path(for: InputImage(source: .standardInput, relativePath: relative)) == expected)
  }
}
