// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaFormats
import FoveaGeometry
import FoveaImage
import FoveaRender
import FoveaTesting
import Testing

@testable import FoveaCLI

@Suite struct ReportRunTests {
  /// Photos of a few pixels, which thumbnails can be made of.
  static func album(_ names: [String]) throws -> TemporaryFolder {
    let folder = try PhotoRunTests.album(names)
    let bytes = try PixelCanvas(size: PixelSize(width: 64, height: 48)).encoded(as: .jpeg)
    for name in names {
      try ReplacedFile.write(bytes, to: folder["in/\(name)"])
    }
    return folder
  }

  @Test func `the page has every image, and results are written as usual`() async throws {
    let folder = try Self.album(["1.jpg", "2bad.jpg", "3.jpg"])
    let outcome = try await PhotoRunTests.run(
      [folder["in"], "--format", "jsonl", "--report", folder["r.html"]], in: folder)
    #expect(outcome.code == 1)
    #expect(PhotoRunTests.images(outcome.output) == ["1.jpg", "2bad.jpg!", "3.jpg"])
    let page = try folder.read("r.html")
    #expect(page.hasSuffix("</html>\n"))
    let data = try ReportParts(page).data
    let images = try #require(data["images"]?.elements)
    #expect(images.count == 2 && images.allSatisfy { $0["image"]?["jpeg"]?.text?.isEmpty == false })
    #expect(page.contains("<h1>Objects in photos</h1>"))
    #expect(page.contains("<dt>Model</dt><dd><bdi>built in</bdi></dd>"))
    #expect(page.contains("<dt>Try next</dt><dd><bdi>your photos with &#39;fovea detect FOLDER&#39;"))
    #expect(
      page.contains(
        "the file ends after 100 of 4096 bytes. Copy the file again. <code>image-truncated</code>"))
    // The sample is rotated by 90°: boxes are drawn upright.
    #expect(images.first?["size"]?.elements?.map(\.digits) == ["3024", "4032"])
    #expect(images.first?["found"]?.digits == "1" && images.first?["ms"]?.digits?.hasPrefix("15.9") == true)
    #expect(!folder.exists("r.html.partial") && !folder.exists("r.html.figures"))
  }

  @Test(arguments: [246, 247, 248, 255])
  func `a page can have a name of any length`(_ length: Int) async throws {
    let folder = try Self.album(["1.jpg"])
    let name = String(repeating: "r", count: length - 5) + ".html"
    let outcome = try await PhotoRunTests.run([folder["in"], "--report", folder[name]], in: folder)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(try folder.read(name).hasSuffix("</html>\n"))
    #expect(try folder.names().filter { $0.hasPrefix("rrr") } == [name])
  }

  @Test func `an interrupted run has a page of the finished images`() async throws {
    let folder = try Self.album((0..<20).map { "\($0).jpg" })
    let stop = StopSignal()
    let analyzer = FakeAnalyzer { (name) throws(FoveaError) in
      if name.hasSuffix("/4.jpg") { stop.request() }
      return Sample.findings
    }
    let outcome = try await PhotoRunTests.run(
      [folder["in"], "--report", folder["r.html"]], in: folder, jobs: 1, stop: stop, analyzer: analyzer)
    #expect(outcome.code == 130)
    #expect(try ReportParts(folder.read("r.html")).data["images"]?.elements?.count == 5)
  }

  @Test func `a resumed run reports that the page is not complete`() async throws {
    let folder = try Self.album(["1.jpg", "2.jpg"])
    let arguments = [
      "--format", "jsonl", "--output", folder["out"], "--resume", "--report", folder["r.html"],
    ]
    _ = try await PhotoRunTests.run([folder["in/1.jpg"]] + arguments, in: folder)
    _ = try await PhotoRunTests.run([folder["in/1.jpg"], folder["in/2.jpg"]] + arguments, in: folder)
    let page = try folder.read("r.html")
    #expect(try ReportParts(page).data["images"]?.elements?.count == 1)
    #expect(page.contains("<dt>Skipped</dt><dd><bdi>1 done by an earlier run</bdi></dd>"))
  }

  @Test func `a report that cannot be written is an error before any work`() async throws {
    let folder = try Self.album(["1.jpg"])
    let analyzer = FakeAnalyzer { (_) throws(FoveaError) in
      Issue.record("there must be no request")
      return Sample.findings
    }
    let outcome = try await PhotoRunTests.run(
      [folder["in"], "--report", folder["none/r.html"]], in: folder, analyzer: analyzer)
    #expect(outcome.code == 2)
    #expect(
      outcome.errors == "fovea: The report 'none/r.html' cannot be written: No such file or directory. "
        + "Name a file in a folder that exists, may be written to and has space.\n")
  }

  @Test func `a report never replaces a photo`() async throws {
    let folder = try Self.album(["1.jpg"])
    let before = FileStatus(FilePath(folder["in/1.jpg"]))?.size
    let outcome = try await PhotoRunTests.run(
      [folder["in"], "--report", folder["in/1.jpg"]], in: folder)
    #expect(outcome.code == 2)
    #expect(FileStatus(FilePath(folder["in/1.jpg"]))?.size == before)
  }

  @Test func `a run without a model leaves no page`() async throws {
    let folder = try Self.album(["1.jpg"])
    try folder.write("r.html", "old")
    let command = try #require(
      try FoveaCommand.parseAsRoot(["detect", folder["in"], "--report", folder["r.html"]]) as? DetectCommand)
    var run = PhotoRun(
      paths: command.input.paths, kind: .objects, jobs: 1, format: command.chosenFormat,
      output: command.output.values, stop: StopSignal())
    run.errorDescriptor = try PhotoRunTests.descriptor(folder["stderr"])
    defer { close(run.errorDescriptor) }
    #expect(await run.execute { () throws(FoveaError) in throw Sample.error } == 2)
    #expect(try folder.read("r.html") == "old")
    #expect(!folder.exists("r.html.partial"))
  }

  @Test func `only the first images get a thumbnail`() {
    let budget = ThumbnailBudget(count: 2)
    #expect((0..<4).map { _ in budget.take() } == [true, true, false, false])
  }

  @Test func `a report of labels has its own wording`() throws {
    var findings = Sample.findings
    findings.content = .labels([Sample.label, .init(text: nil, index: 7, confidence: 0.25)])
    let image = HTMLReport.Image(
      FinishedImage(record: DetectionRecord(image: "a.jpg", result: .success(findings))))
    #expect(
      image.answer
        == .labels([
          .init(label: "Home good", score: Double(Float(0.83))), .init(label: "class 7", score: 0.25),
        ]))
    #expect(image.size == PixelSize(width: 3_024, height: 4_032))
  }

  /// A mask and a rotated box in pixels of the stored photo, which is rotated by 90°.
  static let mask = try? ObjectMask(
    cells: [255, 0, 255, 255], columns: 2, region: BoundingBox(x: 1_000, y: 500, width: 200, height: 100))
  static let rotated = OrientedBox(
    center: PixelPoint(x: 1_100, y: 550), width: 180, height: 40, angle: 0.25)
  static let shapes: [(ObjectMask?, OrientedBox?)] = [
    (nil, nil), (mask, nil), (nil, rotated), (mask, rotated),
  ]

  @Test(arguments: shapes)
  func `an object has its shape in the upright image`(_ mask: ObjectMask?, _ rotated: OrientedBox?) throws {
    var (findings, object) = (Sample.findings, Sample.object)
    (object.mask, object.orientedBox) = (mask, rotated)
    findings.content = .objects([object])
    let image = HTMLReport.Image(
      FinishedImage(record: DetectionRecord(image: "a.jpg", result: .success(findings))))
    guard case .objects(let found) = image.answer, let finding = found.first else {
      Issue.record("there is no object: \(image.answer)")
      return
    }
    let stored = findings.size
    #expect(finding.mask == mask.map { Orientation.right.uprightMask(fromStored: $0, stored: stored) })
    #expect(finding.mask?.bounds.height == mask?.bounds.width)
    #expect(
      finding.orientedBox == rotated.map { Orientation.right.uprightBox(fromStored: $0, stored: stored) })
    #expect(finding.box == Orientation.right.uprightBox(fromStored: object.box, stored: stored))
  }
}
