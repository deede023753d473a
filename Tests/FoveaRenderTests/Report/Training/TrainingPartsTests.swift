// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import FoveaRender

@Suite struct TrainingPartsTests {
  struct SharesCase: CustomTestStringConvertible {
    var values: [Double]
    var expected: [String]
    var testDescription: String { "\(values)" }
  }

  @Test(arguments: [
    SharesCase(values: [], expected: ["0 %", "25 %", "50 %", "75 %", "100 %"]),
    SharesCase(values: [.nan, .infinity], expected: ["0 %", "25 %", "50 %", "75 %", "100 %"]),
    SharesCase(values: [0.85], expected: ["80 %", "85 %", "90 %"]),
    SharesCase(values: [0.7, 0.9], expected: ["60 %", "70 %", "80 %", "90 %"]),
    SharesCase(values: [0, 1], expected: ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]),
    SharesCase(values: [1], expected: ["95 %", "100 %"]),
    SharesCase(values: [0], expected: ["0 %", "5 %"]),
    SharesCase(values: [-4, 0.01], expected: ["0 %", "5 %"]),
    SharesCase(values: [0.5, 7], expected: ["40 %", "60 %", "80 %", "100 %"]),
  ])
  func `an axis of shares has few round numbers around its values`(_ test: SharesCase) {
    #expect(PlotAxis.shares("", around: test.values).ticks.map(\.text) == test.expected)
  }

  @Test func `an axis of photos has numbers that do not overlap, the largest always`() throws {
    let counts = [10, 11, 100, 1_000, 1_001, 10_000.0]
    let axis = try #require(PlotAxis.photos("", counts + [.nan, 0, -5, 1e12]))
    #expect(axis.ticks.map(\.text) == ["11", "100", "1,001", "10,000"])
    #expect(axis.place(of: 10) == 0 && axis.place(of: 10_000) == 1)
    #expect(abs((axis.place(of: 100) ?? 0) - 1.0 / 3) < 1e-9)
    #expect(axis.place(of: -1) == nil && axis.place(of: .nan) == nil)
    let single = try #require(PlotAxis.photos("", [8]))
    #expect(abs((single.place(of: 8) ?? 0) - 0.5) < 1e-9)
    #expect(PlotAxis.photos("", [.nan]) == nil)
  }

  @Test func `a line is broken where a point has no place`() {
    let plot = Plot(
      x: .shares("x"), y: .shares("y"), words: "w",
      marks: [.line([(0, 0), (0.5, 0.5), (0.6, .nan), (0.7, 1), (0.8, .nan), (0.9, 1), (1, 1)], style: "s1")])
    #expect(
      plot.svg.contains("points=\"46,170 173,97\"/>\n<polyline class=\"s1\" points=\"274.6,24 300,24\"/>"))
    #expect(plot.svg.components(separatedBy: "<polyline").count == 3)
  }

  @Test func `classes are in the order of what more photos bring, then of recall`() throws {
    var page = TrainingPage(title: "t", labels: ["a", "b", "c", "d", "e"])
    page.classes = (0..<5).map { _ in .init(photos: 1) }
    (page.classes[1].gain, page.classes[2].gain, page.classes[3].gain) = (0.1, 0.3, .nan)
    (page.classes[0].recall, page.classes[3].recall, page.classes[4].recall) = (0.9, .nan, 0.2)
    let section = try #require(
      ClassesSection(classes: page.classes, names: ClassNames(labels: page.labels)).section)
    let order = section.body.components(separatedBy: "scope=\"row\"><bdi>").dropFirst().map { $0.prefix(1) }
    #expect(order == ["c", "b", "e", "a", "d"])
  }

  @Test func `the most confused classes are shown, in their own order`() {
    var counts = [[Int]](repeating: [Int](repeating: 0, count: 50), count: 50)
    for index in 0..<50 { counts[index][index] = 1_000 }
    counts[49][1] = 7
    counts[20][30] = 2
    let confusion = ConfusionCounts(
      .init(counts: counts, unanswered: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]), classes: 50)
    // Five classes are confused at all; of the others the first ones fill up the 40.
    #expect(confusion.shown == Array(0...37) + [38, 49])
    #expect(confusion.pairs(limit: 1).map(\.pair) == [.init(given: 49, answered: 1)])
    #expect(confusion.total(10) == 1_001)
    #expect(ConfusionCounts(.init(counts: []), classes: 40).shown == Array(0..<40))
  }

  @Test func `photos in two classes come first, then those in training and test`() throws {
    func group(_ given: [Int], _ tests: [Bool]) -> TrainingPage.SamePhotos {
      .init(
        photos: zip(given, tests).map { .init(photo: .init(name: "p"), given: $0, isTest: $1) },
        isSameFile: false)
    }
    let groups = [
      group([0, 0], [false, false]), group([1, 1], [false, true]), group([0, 1], [false, false]),
      group([1, 1], [true, true]),
    ]
    var budget = PhotoGrid.Budget()
    let section = try #require(
      SamePhotosSection(groups: groups, names: ClassNames(labels: ["a", "b"])).section(&budget))
    let order = section.body.components(separatedBy: "<h3>").dropFirst().map { $0.prefix { $0 != "<" } }
    #expect(order == ["in two classes ", "in training and test ", "in one class ", "in one class "])
    #expect(section.body.contains("1 in two classes, 1 in training and test, 2 in one class."))
  }

  static let options: [(String, String)] = [
    ("", ""), ("a --other FOLDER, 5 % b", "a <span class=\"option\">--other</span> FOLDER, 5\u{A0}% b"),
    ("--exclude, x", "<span class=\"option\">--exclude</span>, x"), ("a  b", "a  b"),
    ("--<b>", "<span class=\"option\">--</span>&lt;b&gt;"),
  ]

  @Test(arguments: options)
  func `an option is never broken into two lines`(_ text: String, _ expected: String) {
    #expect(OptionText.html(text) == expected)
  }

  @Test(
    arguments: [
      (0.852, "85.2\u{A0}%"), (1, "100.0\u{A0}%"), (.nan, "–"), (.infinity, "–"),
      (.greatestFiniteMagnitude, "–"),
      (nil, "–"),
    ] as [(Double?, String)])
  func `a part of a whole is a percentage`(_ value: Double?, _ expected: String) {
    #expect(ReportNumber.percent(value) == expected)
  }

  @Test func `text is readable on every cell of the matrix, light and dark`() {
    // Text, card, colour of right and of wrong cells, as in the style sheet.
    let themes: [(text: UInt32, card: UInt32, right: UInt32, wrong: UInt32)] = [
      (0x15181E, 0xFFFFFF, 0x1D4ED8, 0xB42318), (0xE9ECF1, 0x171B22, 0x8AB4FF, 0xFF9A8D),
    ]
    for theme in themes {
      for (color, levels) in [
        (theme.right, TrainingStyle.rightLevels), (theme.wrong, TrainingStyle.wrongLevels),
      ] {
        for level in levels {
          let ground = Self.blend(RGBColor(hex: color), RGBColor(hex: theme.card), level)
          #expect(RGBColor(hex: theme.text).contrast(with: ground) >= 4.5, "\(color), \(level)")
        }
      }
    }
    for part in [
      "--text:#15181e", "--card:#fff", "--text:#e9ecf1", "--card:#171b22",
      "--right:29 78 216;--wrong:180 35 24",
      "--right:138 180 255;--wrong:255 154 141",
    ] {
      #expect(TrainingStyle.sheet.contains(part), "\(part)")
    }
  }

  private static func blend(_ color: RGBColor, _ ground: RGBColor, _ share: Double) -> RGBColor {
    func mixed(_ path: KeyPath<RGBColor, UInt8>) -> UInt8 {
      UInt8((Double(color[keyPath: path]) * share + Double(ground[keyPath: path]) * (1 - share)).rounded())
    }
    return RGBColor(red: mixed(\.red), green: mixed(\.green), blue: mixed(\.blue))
  }
}
