// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaCore
import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaRender

@Suite struct TrainingPageTests {
  typealias Markup = HTMLReportTests.Markup

  /// Text that must not become markup, from a label of 10,000 characters on.
  static let hostile = [
    "<script>alert(1)</script>", "\"' onerror=x", "\u{202E}gpj.\u{2066}exe", "שלום", "a\nb", "",
    String(repeating: "<'\"&", count: 2_500), "--other' --x=\"<b>\" 5 %",
  ]

  static var hostilePage: TrainingPage {
    var page = TrainingPage(title: hostile.joined(), labels: hostile)
    let count = hostile.count
    page.facts = hostile.map { .init(name: $0, value: $0) }
    page.summary = hostile
    page.advice = hostile
    page.figures = hostile.map { .init(name: $0, photos: 1, accuracy: 0.5) }
    page.threshold = .init(value: 0.5, reason: hostile.joined())
    page.classes = hostile.indices.map { _ in .init(photos: 1) }
    for index in 0..<count { page.classes[index].takenFor = .init(label: index - 1, photos: 1) }
    page.confusion = .init(counts: hostile.indices.map { _ in [Int](repeating: 1, count: count) })
    page.suspects = hostile.enumerated().map { index, name in
      .init(
        photo: .init(name: name, thumbnail: TrainingPage.thumbnail), given: index, likelier: 99, ratio: 20)
    }
    page.mistakes = page.suspects.map {
      .init(photo: $0.photo, given: $0.given, answered: ($0.given + 1) % count, score: 0.9)
    }
    page.samePhotos = [
      .init(photos: page.suspects.map { .init(photo: $0.photo, given: -1) }, isSameFile: false)
    ]
    page.leftOut = hostile.map { .init(name: $0, reason: $0) }
    page.backbones = hostile.map { .init(name: $0, note: $0) }
    page.settings = page.facts
    page.command = hostile.joined()
    return page
  }

  static let pages: [TrainingPage] = [
    .small, hostilePage, TrainingPage(title: "nothing", labels: []), manyClasses(41),
  ]

  /// A page whose classes are each taken for the next one.
  static func manyClasses(_ count: Int) -> TrainingPage {
    var page = TrainingPage(title: "many", labels: (0..<count).map { "class \($0)" })
    page.classes = (0..<count).map { _ in .init(photos: 10) }
    page.confusion = .init(
      counts: (0..<count).map { given in
        (0..<count).map { $0 == given ? 9 : $0 == (given + 1) % count ? 1 : 0 }
      })
    page.mistakes = (0..<count).map { given in
      .init(photo: .init(name: "\(given).jpg"), given: given, answered: (given + 1) % count, score: 0.5)
    }
    return page
  }

  @Test(arguments: pages.indices)
  func `nothing of foreign origin becomes markup`(_ number: Int) {
    let page = Self.pages[number].text
    let markup = Markup(page)
    #expect(markup.isBalanced)
    let tags: Set<String> = [
      "!doctype", "html", "head", "meta", "title", "style", "body", "header", "main", "footer", "nav",
      "section",
      "div", "dl", "dt", "dd", "h1", "h2", "h3", "p", "ul", "ol", "li", "a", "bdi", "span", "strong", "pre",
      "code", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "img", "svg", "text", "line",
      "polyline", "circle", "rect",
    ]
    let known: Set<String> = [
      "class", "id", "lang", "charset", "http-equiv", "content", "name", "aria-labelledby", "aria-label",
      "role",
      "alt", "width", "height", "src", "href", "viewBox", "x", "y", "cx", "cy", "r", "points", "text-anchor",
      "scope", "title", "tabindex", "data-l",
    ]
    for tag in markup.tags where tag.name != "!doctype" {
      #expect(tags.contains(tag.name), "\(tag)")
      #expect(Set(tag.attributes.keys).subtracting(known).isEmpty, "\(tag)")
    }
    for scalar in page.unicodeScalars {
      #expect(scalar == "\n" || scalar.value >= 0x20)
      #expect(!(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value))
    }
  }

  @Test(arguments: pages.indices)
  func `every link leads to a part of the page, and nothing is fetched`(_ number: Int) {
    let tags = Markup(Self.pages[number].text).tags
    let names = tags.compactMap { $0.attributes["id"] }
    #expect(Set(names).count == names.count)
    for tag in tags {
      for (name, value) in tag.attributes {
        switch name {
        case "href": #expect(value.hasPrefix("#") && names.contains(String(value.dropFirst())), "\(value)")
        case "src": #expect(value.hasPrefix("data:image/jpeg;base64,"))
        case "aria-labelledby": #expect(names.contains(value))
        default: #expect(!["srcset", "action", "style"].contains(name))
        }
      }
    }
  }

  @Test func `only its own style may act, and there is no script`() throws {
    let page = TrainingPage.small.text
    let style = try HTMLReportTests.part(page, "<style>", "</style>")
    let checksum = Base64.encode(SHA256.digest(of: Array(style.utf8).span))
    #expect(
      try HTMLReportTests.part(page, "Content-Security-Policy\" content=\"", "\"")
        == "default-src 'none'; img-src data:; style-src 'sha256-\(checksum)'; base-uri 'none'; form-action 'none'"
    )
    #expect(!page.contains("<script") && !style.contains("url(") && !style.contains("@import"))
  }

  @Test func `every drawing and photo has words for those who do not see it`() {
    let tags = Markup(TrainingPage.small.text).tags
    #expect(tags.count { $0.name == "svg" } == 4)
    for tag in tags where tag.name == "svg" {
      #expect(tag.attributes["role"] == "img" && tag.attributes["aria-label"]?.isEmpty == false)
    }
    #expect(tags.filter { $0.name == "img" }.allSatisfy { $0.attributes["alt"]?.isEmpty == false })
    #expect(tags.filter { $0.name == "section" }.allSatisfy { $0.attributes["aria-labelledby"] != nil })
  }

  @Test func `a page of nothing says so`() {
    let page = TrainingPage(title: "nothing", labels: []).text
    #expect(page.contains("<main>\n<p class=\"note\">There are no figures.</p>\n</main>"))
    #expect(!page.contains("<section") && !page.contains("<nav") && !page.contains("class=\"tiles\""))
  }

  @Test func `a part without content has no section`() {
    let parts: [(id: String, clear: (inout TrainingPage) -> Void)] = [
      ("advice", { $0.advice = [] }), ("thresholds", { $0.curve = .init(points: []) }),
      ("reliability", { $0.reliability?.bins.removeLast() }),
      ("learning", { $0.learning = .init(points: []) }),
      ("classes", { $0.classes = [] }), ("confusion", { $0.confusion = .init(counts: []) }),
      ("mistakes", { $0.mistakes = [] }), ("suspects", { $0.suspects = [] }),
      ("same", { $0.samePhotos = [] }),
      ("left-out", { $0.leftOut = [] }), ("backbones", { $0.backbones = [] }),
    ]
    for part in parts {
      var page = TrainingPage.small
      #expect(page.text.contains("id=\"h-\(part.id)\""))
      part.clear(&page)
      let text = page.text
      let isBalanced = Markup(text).isBalanced
      #expect(!text.contains("h-\(part.id)\"") && isBalanced, "\(part.id)")
    }
  }

  @Test func `a page is written whole or not at all`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/report.html"
    try TrainingPage.small.write(to: path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(TrainingPage.small.bytes))
    let error = #expect(throws: RenderError.self) {
      try TrainingPage.small.write(to: folder.path + "/no/r.html")
    }
    #expect(error?.code == .reportUnwritable)
    #expect(
      error?.message == "The report '\(folder.path)/no/r.html' cannot be written: No such file or directory")
  }
}
