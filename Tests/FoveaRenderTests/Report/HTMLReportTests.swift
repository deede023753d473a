// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaCore
import FoveaGeometry
import Testing

@testable import FoveaRender

@Suite struct HTMLReportTests {
  /// A folder that goes away, with one report in it.
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

  static var cat: HTMLReport.Picture {
    var picture = HTMLReport.Picture(
      name: "photos/cat.jpg", size: PixelSize(width: 640, height: 480),
      answer: .objects([
        .init(label: "cat", score: 0.9, box: BoundingBox(x: 64, y: 96, width: 320, height: 240)),
        .init(label: "", score: 0.31, box: BoundingBox(x: -10, y: 0, width: 20, height: 1_000)),
      ]))
    picture.stages = [
      .init(name: "decode", duration: .milliseconds(4)), .init(name: "classify", duration: .zero),
      .init(name: "total", duration: .milliseconds(10)),
    ]
    picture.thumbnail = Thumbnail(jpeg: [1, 2, 3], size: PixelSize(width: 320, height: 240))
    return picture
  }

  static let failure = HTMLReport.Picture(
    name: "bad.jpg", size: nil,
    answer: .failure(code: "image-truncated", message: "the file ends early", remedy: "Copy it again"))

  static func page(_ pictures: [HTMLReport.Picture], options: HTMLReport.Options = .init()) throws -> String {
    let place = try Place()
    let report = try HTMLReport(path: place.path, options: options)
    for picture in pictures { try report.add(picture) }
    try report.finish()
    #expect(try place.names() == ["report.html"])
    return try place.text()
  }

  /// The text between two others.
  static func part(_ page: String, _ from: String, _ to: String) throws -> String {
    let start = try #require(page.range(of: from))
    let end = try #require(page.range(of: to, range: start.upperBound..<page.endIndex))
    return String(page[start.upperBound..<end.lowerBound])
  }

  @Test func `an image's card is exactly this`() throws {
    let page = try Self.page([Self.cat])
    #expect(
      try Self.part(page, "<ol id=\"images\" class=\"grid\">\n", "</ol>") == """
        <li class="card" data-score="0.9000" data-found="2" data-ms="10.000" data-c=" 0 1 ">
        <div class="shot"><img alt="photos/cat.jpg: cat 0.90, object 0.31" width="320" height="240" \
        src="data:image/jpeg;base64,AQID"><svg viewBox="0 0 320 240" aria-hidden="true">\
        <g class="cn" data-s="0.3100"><rect class="halo" x="1" y="1" width="4" height="238"/>\
        <rect class="box" x="1" y="1" width="4" height="238"/></g>\
        <g class="\(ReportStyle.className(for: "cat"))" data-s="0.9000">\
        <rect class="halo" x="32" y="48" width="160" height="120"/>\
        <rect class="box" x="32" y="48" width="160" height="120"/></g>\
        <g class="\(ReportStyle.className(for: "cat"))" data-s="0.9000">\
        <rect class="chip" x="31" y="33" width="50.4" height="16" rx="3"/>\
        <text x="36" y="45" textLength="40.4" lengthAdjust="spacingAndGlyphs">cat 0.90</text></g>\
        <g class="cn" data-s="0.3100"><rect class="chip" x="0" y="0" width="31.4" height="16" rx="3"/>\
        <text x="5" y="12" textLength="21.4" lengthAdjust="spacingAndGlyphs">0.31</text></g></svg></div>
        <h3><bdi><span class="folder">photos/</span>cat.jpg</bdi></h3>
        <p class="meta">640 × 480 · 2 objects · 10.0 ms</p>
        <ul class="found">
        <li data-s="0.9000"><span class="dot \(ReportStyle.className(for: "cat"))"></span><bdi>cat</bdi>\
        <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">\
        <rect class="\(ReportStyle.className(for: "cat"))" width="90" height="1"/></svg>\
        <span class="number">0.90</span></li>
        <li data-s="0.3100"><span class="dot cn"></span><bdi>object</bdi>\
        <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">\
        <rect class="cn" width="31" height="1"/></svg><span class="number">0.31</span></li>
        </ul>
        </li>

        """)
  }

  @Test func `totals, classes, times and failures are those of all images`() throws {
    let page = try Self.page([Self.cat, Self.failure, Self.cat])
    #expect(
      try Self.part(page, "<dl class=\"tiles\">\n", "</dl>") == """
        <div><dt>images</dt><dd>3</dd></div>
        <div><dt>objects</dt><dd>4</dd></div>
        <div class="bad"><dt>failed</dt><dd>1</dd></div>
        <div><dt>median per image</dt><dd>10.1 ms</dd></div>

        """)
    #expect(
      page.contains(
        "<bdi>cat</bdi></th><td class=\"n\">2</td><td class=\"n\">2</td><td class=\"n\">0.90</td>"))
    #expect(
      page.contains("<th scope=\"row\">decode</th><td class=\"n\">4.0 ms</td><td class=\"n\">4.0 ms</td>"))
    #expect(!page.contains(">classify<"))
    #expect(
      page.contains("<title>0.30 to 0.35: 2</title>") && page.contains("<title>0.90 to 0.95: 2</title>"))
    #expect(page.contains("aria-label=\"Histogram of 4 scores; most, 2, lie at 0.30 to 0.35\""))
    #expect(
      try Self.part(page, "<h2 id=\"h-failures\">1 failed</h2>\n", "</section>") == """
        <ul>
        <li><strong><bdi>bad.jpg</bdi></strong>: the file ends early. Copy it again. <code>image-truncated</code></li>
        </ul>

        """)
  }

  /// Reads a page as a browser does, as far as that matters: tags, quoted attributes, raw text of style and script.
  struct Markup {
    var tags: [(name: String, attributes: [String: String])] = []
    var isBalanced = true
    var texts: [String] = []

    init(_ page: String) {
      let void: Set<String> = ["!doctype", "meta", "img", "input"]
      var open: [String] = []
      var rest = Substring(page)
      while let start = rest.firstIndex(of: "<") {
        texts.append(String(rest[..<start]))
        var at = rest.index(after: start)
        var quote: Character?
        while at < rest.endIndex, quote != nil || rest[at] != ">" {
          if rest[at] == "\"" || rest[at] == "'" {
            quote = quote == nil ? rest[at] : quote == rest[at] ? nil : quote
          }
          at = rest.index(after: at)
        }
        guard at < rest.endIndex else {
          isBalanced = false
          return
        }
        let inside = rest[rest.index(after: start)..<at]
        rest = rest[rest.index(after: at)...]
        if inside.hasPrefix("/") {
          if open.popLast() != String(inside.dropFirst()) { isBalanced = false }
          continue
        }
        let name = String(inside.prefix { !$0.isWhitespace && $0 != "/" }).lowercased()
        tags.append((name, Self.attributes(inside.dropFirst(name.count))))
        if void.contains(name) || inside.hasSuffix("/") { continue }
        open.append(name)
        if name == "style" || name == "script", let end = rest.range(of: "</\(name)>") {
          rest = rest[end.lowerBound...]
        }
      }
      if !open.isEmpty { isBalanced = false }
    }

    private static func attributes(_ text: Substring) -> [String: String] {
      var found: [String: String] = [:]
      for match in text.matches(of: /([a-zA-Z:-]+)(?:="([^"]*)")?/) {
        found[String(match.output.1)] = match.output.2.map(String.init) ?? ""
      }
      return found
    }
  }

  static var everything: [HTMLReport.Picture] {
    var crowded = HTMLReport.Picture(
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
    let failure = HTMLReport.Picture(
      name: hostile, size: nil, answer: .failure(code: hostile, message: hostile, remedy: hostile))
    let labels = HTMLReport.Picture(
      name: hostile, size: PixelSize(width: 1, height: 1),
      answer: .labels([.init(label: hostile, score: 0.5)]))
    let none = HTMLReport.Picture(name: "", size: PixelSize(width: 0, height: 0), answer: .objects([]))
    return [crowded, broken, labels, none] + [HTMLReport.Picture](repeating: failure, count: 30)
  }

  @Test func `nothing of foreign origin becomes markup`() throws {
    var options = HTMLReport.Options()
    options.title = Self.hostile
    options.facts = [.init(name: Self.hostile, value: Self.hostile)]
    let page = try Self.page(Self.everything, options: options)
    let markup = Markup(page)
    #expect(markup.isBalanced)
    #expect(markup.tags.count { $0.name == "script" } == 1)
    let known: Set<String> = [
      "class", "id", "lang", "charset", "http-equiv", "content", "name", "aria-labelledby", "aria-label",
      "aria-hidden", "role", "alt", "width", "height", "src", "viewBox", "x", "y", "x1", "y1", "x2", "y2",
      "rx",
      "preserveAspectRatio", "textLength", "lengthAdjust", "text-anchor", "scope", "hidden", "type", "min",
      "max",
      "step", "value", "autocomplete", "placeholder", "for", "data-s", "data-c", "data-ms", "data-found",
      "data-score",
    ]
    for tag in markup.tags where tag.name != "!doctype" {
      #expect(Set(tag.attributes.keys).subtracting(known).isEmpty, "\(tag)")
    }
    for scalar in page.unicodeScalars {
      #expect(scalar == "\n" || scalar.value >= 0x20)
      #expect(!(0x202A...0x202E).contains(scalar.value))
    }
    #expect(
      page.contains(
        "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39; onerror=x \\u{202e}gpj.\\u{1b}[2J&amp;\\n.jpg"))
  }

  @Test func `the page fetches nothing and only its own style and script may act`() throws {
    let page = try Self.page(Self.everything + [Self.cat])
    for tag in Markup(page).tags {
      for (name, value) in tag.attributes
      where ["src", "href", "xlink:href", "srcset", "action"].contains(name) {
        #expect(name == "src" && value.hasPrefix("data:image/jpeg;base64,"))
      }
      #expect(!["link", "iframe", "object", "embed", "base", "form"].contains(tag.name))
    }
    for address in ["http:", "https:", "//", "url(", "@import", "fetch(", "XMLHttp", "eval(", "innerHTML"] {
      // The sources of thumbnails are base64, which has slashes.
      #expect(!page.replacing(/base64,[A-Za-z0-9+\/=]*/, with: "").contains(address), "\(address)")
    }
    let style = try Self.part(page, "<style>", "</style>")
    let script = try Self.part(page, "<script>", "</script>")
    func checksum(_ text: String) throws -> String {
      let digits = SHA256.hexadecimal(of: Array(text.utf8).span)
      let bytes = try stride(from: 0, to: 64, by: 2).map { index in
        let start = digits.index(digits.startIndex, offsetBy: index)
        return try #require(UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16))
      }
      return "'sha256-\(Data(bytes).base64EncodedString())'"
    }
    #expect(
      try Self.part(page, "<meta http-equiv=\"Content-Security-Policy\" content=\"", "\"")
        == "default-src 'none'; img-src data:; style-src \(checksum(style)); script-src \(checksum(script)); "
        + "base-uri 'none'; form-action 'none'")
  }

  @Test func `every image has words for those who do not see it`() throws {
    let page = try Self.page([Self.cat, Self.cat] + Self.everything)
    let tags = Markup(page).tags
    #expect(tags.filter { $0.name == "img" }.allSatisfy { $0.attributes["alt"]?.isEmpty == false })
    for svg in tags where svg.name == "svg" {
      let isSilent = svg.attributes["aria-hidden"] == "true"
      #expect(isSilent || (svg.attributes["role"] == "img" && svg.attributes["aria-label"]?.isEmpty == false))
    }
    #expect(page.contains("<html lang=\"en\">"))
    #expect(tags.filter { $0.name == "section" }.allSatisfy { $0.attributes["aria-labelledby"] != nil })
  }

  @Test func `text is readable on its background, light and dark`() throws {
    let sheet = ReportStyle.sheet
    for (index, block) in [":root{", "dark){:root{"].enumerated() {
      func color(_ name: String) throws -> RGBColor {
        let start = try #require(sheet.range(of: block))
        var digits = String(
          sheet[
            try #require(sheet.range(of: "--\(name):#", range: start.upperBound..<sheet.endIndex))
              .upperBound...
          ]
          .prefix { $0.isHexDigit })
        if digits.count == 3 { digits = digits.map { "\($0)\($0)" }.joined() }
        return RGBColor(hex: try #require(UInt32(digits, radix: 16)))
      }
      for text in ["text", "muted", "accent", "bad"] {
        for ground in ["bg", "card"] {
          #expect(try color(text).contrast(with: color(ground)) >= 4.5, "\(text) on \(ground), \(index)")
        }
      }
    }
  }

  @Test func `a report of nothing says so`() throws {
    let page = try Self.page([])
    #expect(Markup(page).isBalanced)
    #expect(page.contains("<p class=\"note\">No image was processed.</p>"))
    #expect(page.contains("<p class=\"note\">There are no scores.</p>"))
    #expect(!page.contains("id=\"tools\"") && !page.contains("h-failures") && !page.contains("h-classes"))
  }

  @Test func `limits keep the page small and are reported`() throws {
    var options = HTMLReport.Options()
    options.pictureLimit = 5
    options.thumbnailLimit = 2
    let page = try Self.page([HTMLReport.Picture](repeating: Self.cat, count: 7), options: options)
    #expect(page.components(separatedBy: "<li class=\"card\"").count == 6)
    #expect(page.components(separatedBy: "<img ").count == 3)
    #expect(page.components(separatedBy: "<rect class=\"frame\"").count == 4)
    #expect(
      page.contains(
        "<p class=\"note\">The first 5 images have a card; totals count all. "
          + "The first 2 are shown with their image.</p>"))
    #expect(page.contains("<div><dt>objects</dt><dd>14</dd></div>"))
  }

  @Test func `failures and classes beyond their limits are counted`() throws {
    var pictures = [HTMLReport.Picture](repeating: Self.failure, count: ReportSummary.failureLimit + 5)
    pictures += (0..<ReportSummary.classLimit + 3).map { number in
      HTMLReport.Picture(
        name: "p", size: nil, answer: .labels([.init(label: "c\(number)", score: 0.5)]))
    }
    let page = try Self.page(pictures)
    #expect(page.contains("<p class=\"note\">5 more are not listed.</p>"))
    #expect(page.contains("192 more classes"))
    #expect(page.contains("<p class=\"note\">1,803 more are of other classes.</p>"))
    #expect(Markup(page).isBalanced)
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

  @Test func `a place that cannot be written to is an error at the start`() throws {
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
