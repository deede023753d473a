// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaGeometry
import Testing

@testable import FoveaRender

@Suite struct TrainingPageLimitsTests {
  /// A page whose every figure is this value.
  static func page(of value: Double) -> TrainingPage {
    var page = TrainingPage.small
    page.figures[0] = .init(name: "f", photos: 1, accuracy: value, standardError: value)
    page.figures[0].topFive = value
    page.figures[0].balancedAccuracy = value
    page.figures[0].logLoss = value
    page.figures[0].calibrationError = value
    page.figures[0].macro = .init(precision: value, recall: value, f1: value, averagePrecision: value)
    page.figures[0].micro = page.figures[0].macro
    page.threshold = .init(value: value, reason: "", rightAnswers: value, unanswered: value)
    for index in page.classes.indices {
      page.classes[index].precision = value
      page.classes[index].recall = value
      page.classes[index].f1 = value
      page.classes[index].averagePrecision = value
      page.classes[index].threshold = value
      page.classes[index].gain = value
    }
    page.curve = .init(points: [.init(threshold: value, precision: value, recall: value)], area: value)
    page.curve?.points.append(.init(threshold: 0.5, precision: value, recall: value))
    page.reliability = .init(bins: [
      .init(from: 0, to: 1, photos: 1, score: value, right: value),
      .init(from: value, to: value, photos: 1, score: value, right: value),
    ])
    page.learning = .init(
      points: [
        .init(photos: value, accuracy: value), .init(photos: 8, accuracy: value, uncertainty: value),
        .init(photos: 8, accuracy: 0.5, uncertainty: value),
      ], forecast: .init(photos: value, accuracy: 0.5))
    page.mistakes[0].score = value
    page.suspects[0].ratio = value
    page.backbones[0] = .init(name: "b", accuracy: value, standardError: value)
    return page
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, .signalingNaN])
  func `a figure that is not a number is never printed`(_ value: Double) throws {
    let text = Self.page(of: value).text
    let shown = try HTMLReportTests.part(text, "<header>", "</html>").lowercased()
    for word in [">nan", " nan", "\"nan", ",nan", "inf", "null", "± –", "–:", "about –"] {
      #expect(!shown.contains(word), "\(word)")
    }
    let isBalanced = HTMLReportTests.Markup(text).isBalanced
    #expect(isBalanced)
  }

  @Test(arguments: [0.0, -1, 1e300, -1e300, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
  func `a figure far beyond its range breaks nothing`(_ value: Double) {
    let isBalanced = HTMLReportTests.Markup(Self.page(of: value).text).isBalanced
    #expect(isBalanced)
  }

  @Test func `counts far beyond their range break nothing`() {
    var page = TrainingPage.small
    page.confusion = .init(counts: [[.max, .min], [-1], [5, 5, 5]], unanswered: [.max, .max, .max])
    page.confusion?.photos[.init(given: -1, answered: 0)] = 1
    page.confusion?.photos[.init(given: 0, answered: .max)] = 1
    page.figures[0].photos = .min
    page.classes[0].photos = .max
    page.backbones[0].numbers = .min
    let isBalanced = HTMLReportTests.Markup(page.text).isBalanced
    #expect(isBalanced)
  }

  static func photo(_ number: Int, bytes: Int = 12_000) -> TrainingPage.Photo {
    .init(
      name: "\(number).jpg",
      thumbnail: .init(jpeg: [UInt8](repeating: 7, count: bytes), size: PixelSize(width: 160, height: 160)))
  }

  @Test func `1,000 classes with labels of 10,000 characters and many photos make a page below 20 MB`() {
    let label = String(repeating: "\u{202E}<", count: 5_000)
    var page = TrainingPageTests.manyClasses(1_000)
    page.labels = (0..<1_000).map { "\($0)\(label)" }
    page.mistakes = (0..<5_000).map { number in
      .init(photo: Self.photo(number), given: number % 1_000, answered: (number + 1) % 1_000, score: 0.5)
    }
    page.suspects = (0..<2_000).map {
      .init(photo: Self.photo($0), given: $0 % 1_000, likelier: 0, ratio: 11)
    }
    page.samePhotos = (0..<1_000).map { number in
      .init(photos: [Int](0..<20).map { .init(photo: Self.photo($0), given: number) }, isSameFile: true)
    }
    let text = page.text
    #expect(text.utf8.count < 20_000_000)
    #expect(text.components(separatedBy: "<img ").count - 1 == PhotoGrid.Budget.page)
    #expect(text.contains("3,000 more are not listed.") && text.contains("1,000 more are not listed."))
    #expect(text.contains("The 40 most confused classes are shown, and 960 as “others”."))
    #expect(text.contains("980 more classes"))
  }

  @Test func `the 60 surest mistakes have a thumbnail, those of a pair together`() throws {
    var page = TrainingPage(title: "t", labels: ["a", "b", "c"])
    page.mistakes = (0..<100).map { number in
      .init(
        photo: Self.photo(number, bytes: 3), given: number % 2, answered: 2, score: Double(number) / 100)
    }
    let text = page.text
    let shown = text.components(separatedBy: "<li><img ").dropFirst()
    #expect(shown.count == 60)
    let scores = shown.compactMap { card in card.firstRange(of: /score 0\.\d\d/).map { String(card[$0]) } }
    #expect(scores.first == "score 0.99" && scores.last == "score 0.40" && scores[29] == "score 0.41")
    #expect(text.components(separatedBy: "<summary>20 more</summary>").count == 3)
    let first = try #require(text.firstRange(of: "id=\"m-1-2\""))
    let second = try #require(text.firstRange(of: "id=\"m-0-2\""))
    #expect(first.lowerBound < second.lowerBound)
  }

  @Test func `a thumbnail that is empty or too large is not shown`() {
    for (bytes, isShown) in [(0, false), (1, true), (1 << 16, true), (1 << 16 + 1, false)] {
      var page = TrainingPage(title: "t", labels: ["a", "b"])
      page.mistakes = [.init(photo: Self.photo(1, bytes: bytes), given: 0, answered: 1, score: 0.5)]
      #expect(page.text.contains("<img ") == isShown, "\(bytes)")
      #expect(page.text.contains("1.jpg"))
    }
  }
}
