// SPDX-License-Identifier: Apache-2.0

import Foundation
import Fovea
import FoveaCore
import FoveaDecoding
import FoveaFormats
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@testable import FoveaRender

@Suite struct HTMLReportTests {
  /// A temporary folder with one report.
  final class Place {
    let folder: URL
    var page: URL { folder.appendingPathComponent("report.html") }
    var path: String { page.path }

    init() throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "fovea-report-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func text() throws -> String { try String(contentsOf: page, encoding: .utf8) }
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }
  }

  static let hostile = "<script>alert(1)</script>\"' onerror=x \u{202E}gpj.\u{1B}[2J&\n.jpg"

  static var cat: HTMLReport.Image {
    var image = HTMLReport.Image(
      name: "photos/cat.jpg", size: PixelSize(width: 640, height: 480),
      answer: .objects([
        .init(label: "cat", score: 0.9, box: BoundingBox(x: 64, y: 96, width: 320, height: 240)),
        .init(label: "", score: 0.31, box: BoundingBox(x: -10, y: 0, width: 20, height: 1_000)),
      ]))
    image.stages = [
      .init(name: "decode", duration: .milliseconds(4)), .init(name: "classify", duration: .zero),
      .init(name: "total", duration: .milliseconds(10)),
    ]
    image.thumbnail = Thumbnail(jpeg: [1, 2, 3], size: PixelSize(width: 320, height: 240))
    return image
  }

  static let failure = HTMLReport.Image(
    name: "bad.jpg", size: nil,
    answer: .failure(code: "image-truncated", message: "the file ends early", remedy: "Copy it again"))

  static func parts(
    _ images: [HTMLReport.Image], options: HTMLReport.Options = .init()
  ) throws -> ReportParts {
    let place = try Place()
    let report = try HTMLReport(path: place.path, options: options)
    for image in images { try report.add(image) }
    try report.finish()
    #expect(try place.names() == ["report.html"])
    return try ReportParts(place.text())
  }

  @Test(
    arguments: [
      (0.35, "0.35"), (0.45, "0.45"), (0.65, "0.65"), (0.7, "0.7"), (0.9, "0.9"), (0.95, "0.95"), (0, "0"),
      (1, "1"), (0.123_45, "0.1235"),
    ] as [(Float, String)])
  func `a score is at the filter step of its printed value`(_ score: Float, _ text: String) throws {
    let image = HTMLReport.Image(
      name: "cat.jpg", size: PixelSize(width: 640, height: 480),
      answer: .objects([
        .init(label: "cat", score: Double(score), box: BoundingBox(x: 0, y: 0, width: 9, height: 9))
      ]))
    let page = try Self.parts([image]).page
    #expect(page.contains(#""best": \#(text), "#) && page.contains(#""score": \#(text), "#))
  }

  @Test func `an image's data are exactly this`() throws {
    let page = try Self.parts([Self.cat]).page
    let color = try #require(ImageCard.color(of: "cat"))
    #expect(
      try ReportParts.part(page, "{\"images\": [", "],\n\"imageCount\": 1,") == """
        {"name": "photos/cat.jpg", "found": 2, "best": 0.9, "classes": [0, 1], "ms": 10, "size": [640, 480], \
        "frame": [320, 240], "findings": [\
        {"label": "cat", "score": 0.9, "color": \(color), "box": [32, 48, 160, 120], "chip": [31, 33, 50.4], \
        "caption": "cat 0.90"}, \
        {"label": "", "score": 0.31, "box": [1, 1, 4, 238], "chip": [0, 0, 31.4], "caption": "0.31"}], \
        "image": {"width": 320, "height": 240, "jpeg": "AQID"}}
        """)
  }

  /// The box of the cat, and a mask that covers the whole box.
  static let box = BoundingBox(x: 64, y: 96, width: 320, height: 240)
  static let mask = try? ObjectMask(cells: [UInt8](repeating: 255, count: 60), columns: 10, region: box)
  static let rotated = OrientedBox(
    center: PixelPoint(x: 224, y: 216), width: 200, height: 100, angle: .pi / 2)

  /// A shape, and how it is drawn on a frame of half the image's size.
  struct Shape: CustomTestStringConvertible {
    let id: String
    var mask: ObjectMask?
    var orientedBox: OrientedBox?
    var drawnMask: [String]?
    var drawnCorners: [String]?
    var testDescription: String { id }
  }

  static let corners = ["137", "58", "137", "158", "87", "158", "87", "58"]
  static let outline = ["32", "48", "192", "48", "192", "168", "32", "168"]
  static let shapes = [
    Shape(id: "neither"),
    Shape(id: "a mask", mask: mask, drawnMask: outline),
    Shape(id: "a rotated box", orientedBox: rotated, drawnCorners: corners),
    Shape(id: "both", mask: mask, orientedBox: rotated, drawnMask: outline, drawnCorners: corners),
    Shape(
      id: "a mask of nothing", mask: try? ObjectMask(cells: [], columns: 0, region: box),
      orientedBox: OrientedBox(center: PixelPoint(x: 9, y: 9), width: 0, height: 4, angle: 1)),
    Shape(
      id: "a mask outside",
      mask: try? ObjectMask(
        cells: [255], columns: 1, region: BoundingBox(x: 700, y: 0, width: 9, height: 9)),
      orientedBox: OrientedBox(center: PixelPoint(x: 1e300, y: 9), width: 1, height: 4, angle: .nan)),
    Shape(
      id: "a rotated box far outside",
      orientedBox: OrientedBox(center: PixelPoint(x: 1e300, y: 9), width: 9, height: 4, angle: 1)),
  ]

  @Test(arguments: shapes) func `a shape is drawn as outlines and corners`(_ shape: Shape) throws {
    var image = Self.cat
    image.answer = .objects([
      .init(
        label: Self.hostile, score: 0.9, box: Self.box, mask: shape.mask, orientedBox: shape.orientedBox)
    ])
    let parts = try Self.parts([image])
    let finding = try #require(parts.data["images"]?.elements?.first?["findings"]?.elements?.first)
    #expect(finding["label"]?.text == Self.hostile)
    #expect(finding["box"]?.elements?.map(\.digits) == ["32", "48", "160", "120"])
    #expect(finding["mask"]?.elements?.first?.elements?.map(\.digits) == shape.drawnMask)
    #expect(finding["mask"]?.elements?.count == shape.drawnMask.map { _ in 1 })
    #expect(finding["corners"]?.elements?.map(\.digits) == shape.drawnCorners)
    #expect(parts.page.split(separator: "<script").count == 3)
  }

  @Test func `masks are on the images with a thumbnail, rotated boxes on all`() throws {
    var image = Self.cat
    image.answer = .objects([
      .init(label: "cat", score: 0.9, box: Self.box, mask: Self.mask, orientedBox: Self.rotated)
    ])
    var options = HTMLReport.Options()
    options.thumbnailLimit = 2
    let parts = try Self.parts([HTMLReport.Image](repeating: image, count: 4), options: options)
    let findings = try #require(parts.data["images"]?.elements).compactMap { $0["findings"]?.elements?.first }
    #expect(findings.map { $0["mask"] != nil } == [true, true, false, false])
    #expect(findings.map { $0["corners"] != nil } == [true, true, true, true])
  }

  @Test func `keypoints are the points and lines of three sides`() throws {
    var image = Self.cat
    var person = HTMLReport.Finding(label: "person", score: 0.9, box: Self.box)
    person.keypoints = (0..<17).map { _ in PixelPoint(x: 1, y: 1) }
    image.answer = .objects([person])
    person.keypointSet = .body
    var other = image
    other.answer = .objects([person])
    let parts = try Self.parts([image, other])
    let findings = try #require(parts.data["images"]?.elements).compactMap { $0["findings"]?.elements?.first }
    func counts(_ name: String) -> [[Int]?] {
      findings.map { $0[name]?.elements?.map { $0.elements?.count ?? 0 } }
    }
    // Without a set, all points are in the middle; each has two numbers, each line four.
    #expect(counts("joints") == [[0, 34, 0], [16, 2, 16]])
    #expect(counts("bones").map { $0?.reduce(0, +) } == [nil, 76])
  }

  /// A map of 4 × 2 cells over an image of 640 × 320 pixels.
  static func map(_ classes: [UInt8], labels: [String] = ["background", "cat"]) -> HTMLReport.Image {
    let region = BoundingBox(x: 0, y: 0, width: 640, height: 320)
    let map = SegmentationMap(
      MapCells(classes: classes, confidences: []), width: 4, labels: labels, isBinary: false,
      region: region, bounds: region)
    return HTMLReport.Image(name: "a.jpg", size: PixelSize(width: 640, height: 320), answer: .map(map))
  }

  @Test func `a map is drawn on its image, with the shares and colours of its classes`() throws {
    let parts = try Self.parts([Self.map([0, 0, 1, 1, 0, 0, 1, 0]), Self.map([255, 0, 0, 0, 0, 0, 0, 0])])
    #expect(parts.data["kind"]?.text == "maps")
    let image = try #require(parts.data["images"]?.elements?.first)
    let drawing = try #require(image["map"]?.text.flatMap { Data(base64Encoded: $0) })
    let frame = try #require(image["frame"]?.elements?.compactMap { $0.double.map { Int($0) } })
    let png = try EncodedImage(bytes: Array(drawing), name: "map")
    #expect(png.size == PixelSize(width: frame[0], height: frame[1]))
    let numbers = try ClassImage.numbers(in: png)
    #expect(numbers.count { $0 == 1 } > numbers.count / 4 && numbers[0] == 0)
    #expect(numbers[frame[0] - 1] == 1 && numbers[numbers.count - 1] == 0)
    let findings = try #require(image["findings"]?.elements)
    #expect(findings.map { $0["label"]?.text } == ["background", "cat"])
    #expect(findings.map { $0["score"]?.double } == [0.625, 0.375])
    #expect(findings.map { $0["paint"]?.text } == [nil, "#800000"])
    #expect(findings.allSatisfy { $0["color"] == nil && $0["box"] == nil })
    let classes = try #require(parts.data["classes"]?.elements)
    #expect(classes.map { $0["share"]?.double } == [0.75, 0.1875])
    #expect(classes.map { $0["images"]?.digits } == ["2", "1"])
    #expect(classes.map { $0["paint"]?.text } == [nil, "#800000"])
    #expect(parts.text.contains("<div><dt>classes</dt><dd>2</dd></div>"))
    #expect(!parts.text.contains("by-score") && parts.text.contains("most classes first"))
    #expect(parts.page.contains("<p>Maps refer to the upright image."))
  }

  @Test func `a class without a name has its number, and an image without a size no map`() throws {
    var unsized = Self.map([0, 1, 2, 2, 2, 2, 2, 2], labels: [])
    unsized.size = nil
    var empty = unsized
    empty.size = PixelSize(width: 0, height: 320)
    let images = try #require(try Self.parts([unsized, empty]).data["images"]?.elements)
    for image in images {
      let labels = image["findings"]?.elements?.compactMap { $0["label"]?.text }
      #expect(labels == ["class 2", "class 0", "class 1"])
    }
    #expect(images.allSatisfy { $0["map"] == nil })
  }

  @Test func `maps are drawn on the images with a thumbnail`() throws {
    var image = Self.map([0, 0, 1, 1, 0, 0, 1, 0])
    image.thumbnail = Self.cat.thumbnail
    var options = HTMLReport.Options()
    options.thumbnailLimit = 1
    let parts = try Self.parts([image, image, Self.failure], options: options)
    #expect(parts.data["images"]?.elements?.map { $0["map"] != nil } == [true, false])
    // A failed image has no share.
    #expect(parts.data["classes"]?.elements?.map { $0["share"]?.double } == [0.625, 0.375])
  }

  @Test func `totals, classes, times and failures cover all images`() throws {
    let parts = try Self.parts([Self.cat, Self.failure, Self.cat])
    #expect(
      try ReportParts.part(parts.text, "<dl class=\"tiles\">\n", "</dl>") == """
        <div><dt>images</dt><dd>3</dd></div>
        <div><dt>objects</dt><dd>4</dd></div>
        <div class="bad"><dt>failed</dt><dd>1</dd></div>
        <div><dt>median per image</dt><dd>10.1 ms</dd></div>

        """)
    #expect(
      try ReportParts.part(parts.text, "<h2 id=\"h-failures\">1 failed</h2>\n", "</section>") == """
        <ul>
        <li><strong><bdi>bad.jpg</bdi></strong>: the file ends early. Copy it again. <code>image-truncated</code></li>
        </ul>

        """)
    let data = parts.data
    #expect(data["images"]?.elements?.count == 2 && data["imageCount"]?.digits == "3")
    let classes = try #require(data["classes"]?.elements)
    #expect(classes.map { $0["label"]?.text } == ["cat", ""])
    #expect(classes.map { $0["findings"]?.digits } == ["2", "2"])
    #expect(classes.map { $0["images"]?.digits } == ["2", "2"])
    #expect(classes.map { $0["best"]?.double } == [0.9, 0.31])
    let stages = try #require(data["stages"]?.elements)
    #expect(stages.map { $0["name"]?.text } == ["decode", "total"])
    #expect(stages.allSatisfy { $0["median"] == $0["most"] })
    #expect(abs((stages.first?["median"]?.double ?? 0) - 4) < 0.05)
    let bins = try #require(data["bins"]?.elements).map(\.digits)
    #expect(bins.count == 20 && bins[6] == "2" && bins[18] == "2" && bins.count { $0 == "0" } == 18)
  }

  static var everything: [HTMLReport.Image] {
    var crowded = HTMLReport.Image(
      name: hostile, size: PixelSize(width: 300, height: 4_000),
      answer: .objects(
        (0..<150).map { number in
          .init(
            label: number % 2 == 0 ? hostile : "class \(number)", score: Double(number) / 149,
            box: BoundingBox(x: Double(number), y: 0, width: 50, height: 90))
        }))
    crowded.stages = [.init(name: hostile, duration: .milliseconds(1))]
    var broken = cat
    broken.answer = .objects([
      .init(label: "NaN", score: .nan, box: BoundingBox(minX: .nan, minY: 0, maxX: 1, maxY: 1)),
      .init(label: "far", score: .infinity, box: BoundingBox(x: 1e300, y: 0, width: 1, height: 1)),
      .init(label: "all", score: -1, box: BoundingBox(minX: -.infinity, minY: 0, maxX: .infinity, maxY: 9)),
    ])
    let failure = HTMLReport.Image(
      name: hostile, size: nil, answer: .failure(code: hostile, message: hostile, remedy: hostile))
    let labels = HTMLReport.Image(
      name: hostile, size: PixelSize(width: 1, height: 1),
      answer: .labels([.init(label: hostile, score: 0.5)]))
    let none = HTMLReport.Image(name: "", size: PixelSize(width: 0, height: 0), answer: .objects([]))
    return [crowded, broken, labels, none] + [HTMLReport.Image](repeating: failure, count: 30)
  }

  @Test func `nothing of foreign origin becomes markup`() throws {
    var options = HTMLReport.Options()
    options.title = Self.hostile
    options.facts = [.init(name: Self.hostile, value: Self.hostile)]
    let parts = try Self.parts(Self.everything, options: options)
    #expect(parts.page.split(separator: "<script").count == 3)
    #expect(parts.page.split(separator: "</script>").count == 3)
    for scalar in parts.text.unicodeScalars {
      #expect(scalar == "\n" || scalar.value >= 0x20)
      #expect(!(0x202A...0x202E).contains(scalar.value))
    }
    let shown =
      "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39; onerror=x \\u{202e}gpj.\\u{1b}[2J&amp;\\n.jpg"
    for part in [
      "<h1>\(shown)</h1>", "<div><dt>\(shown)</dt><dd><bdi>\(shown)</bdi></dd></div>",
      "<li><strong><bdi>\(shown)</bdi></strong>: \(shown). \(shown). <code>\(shown)</code></li>",
    ] {
      #expect(parts.text.contains(part), "\(part)")
    }
    #expect(parts.data["images"]?.elements?.first?["name"]?.text == Self.hostile)
  }

  @Test func `every name of the page has its value`() throws {
    var options = HTMLReport.Options()
    options.facts = [.init(name: "n", value: "v")]
    options.imageLimit = 1
    let failures = [HTMLReport.Image](repeating: Self.failure, count: ReportSummary.failureLimit + 1)
    let runs: [[HTMLReport.Image]] = [[], [Self.cat], [Self.cat, Self.cat] + failures]
    for images in runs {
      let page = try Self.parts(images, options: options).page
      // The style, the script and the data end in "}}" themselves.
      #expect(!page.contains("{{"))
    }
  }

  @Test func `a figure that is not a number is null, and a name is cut`() throws {
    var longNamed = Self.everything[1]
    longNamed.name = String(repeating: "<", count: 5_000)
    let image = try #require(try Self.parts([longNamed]).data["images"]?.elements?.first)
    #expect(image["name"]?.text?.count == ReportText.maxScalars + 1)
    #expect(image["findings"]?.elements?.compactMap { $0["score"] } == [.null, .null, .number("-1")])
  }

  @Test func `an empty report is marked as such`() throws {
    let parts = try Self.parts([])
    #expect(parts.text.contains("<p class=\"note\">No image was processed.</p>"))
    #expect(
      parts.data["images"]?.elements?.isEmpty == true && parts.data["classes"]?.elements?.isEmpty == true)
    #expect(!parts.text.contains("h-failures") && !parts.text.contains("class=\"facts\""))
  }

  @Test func `limits keep the page small and are reported`() throws {
    var options = HTMLReport.Options()
    options.imageLimit = 5
    options.thumbnailLimit = 2
    let parts = try Self.parts([HTMLReport.Image](repeating: Self.cat, count: 7), options: options)
    let images = try #require(parts.data["images"]?.elements)
    #expect(images.count == 5 && images.count { $0["image"] != nil } == 2)
    #expect(
      parts.text.contains(
        "<p class=\"note\">The first 5 images have a card; totals count all. "
          + "The first 2 are shown with their image.</p>"))
    #expect(parts.text.contains("<div><dt>objects</dt><dd>14</dd></div>"))
  }

  @Test func `failures and classes beyond their limits are counted`() throws {
    var images = [HTMLReport.Image](repeating: Self.failure, count: ReportSummary.failureLimit + 5)
    images += (0..<ReportSummary.classLimit + 3).map { number in
      HTMLReport.Image(
        name: "p", size: nil, answer: .labels([.init(label: "c\(number)", score: 0.5)]))
    }
    let parts = try Self.parts(images)
    #expect(parts.text.contains("<details><summary>Show them</summary>\n<ul>\n<li>"))
    #expect(parts.text.contains("<p class=\"note\">5 more are not listed.</p>\n</details>\n</section>"))
    #expect(parts.data["classes"]?.elements?.count == ReportSummary.classLimit)
    #expect(parts.data["otherFindings"]?.digits == "3")
  }

  @Test func `an image has no more findings than a card lists`() throws {
    let image = try #require(try Self.parts(Self.everything).data["images"]?.elements?.first)
    #expect(image["found"]?.digits == "150")
    let findings = try #require(image["findings"]?.elements)
    #expect(findings.count == ImageCard.findingLimit)
    #expect(findings.allSatisfy { $0["box"] != nil })
    #expect(findings.dropFirst(12).allSatisfy { $0["chip"] == nil })
  }

  @Test func `an older page stays until the new one is whole`() throws {
    let place = try Place()
    try Data("old".utf8).write(to: place.page)
    do {
      let report = try HTMLReport(path: place.path)
      try report.add(Self.cat)
      #expect(try place.text() == "old")
    }
    #expect(try place.names() == ["report.html"])
    #expect(try place.text() == "old")
    let report = try HTMLReport(path: place.path)
    try report.finish()
    try report.finish()
    #expect(try place.text().hasPrefix("<!doctype html>\n"))
  }

  @Test func `a path that cannot be written is an error at the start`() throws {
    let place = try Place()
    for (path, reason) in [
      (place.folder.path + "/none/r.html", "No such file or directory"),
      (place.folder.path, "it is a folder or a device"), ("/dev/full", "it is a folder or a device"),
    ] {
      let error = #expect(throws: RenderError.self) { try HTMLReport(path: path) }
      #expect(error?.code == .reportUnwritable)
      #expect(error?.message == "The report '\(path)' cannot be written: \(reason)")
      #expect(
        error?.remedy.description == "Name a file in a folder that exists, may be written to and has space")
    }
    #expect(try place.names() == [])
  }
}
