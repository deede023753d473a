// SPDX-License-Identifier: Apache-2.0

import FoveaFormats
import FoveaRender
import FoveaTesting
import Testing

@Suite struct ReportColorTests {
  /// The style sheet of a page.
  static func sheet(_ kind: ReportPage.Kind) throws -> String {
    try ReportParts.part(ReportPage(kind, [:]).start, "<style>", "</style>")
  }

  /// The digits of a colour after a name, in the light or the dark theme.
  static func color(_ name: String, in sheet: String, isDark: Bool) throws -> RGBColor {
    let theme = try #require(sheet.firstRange(of: isDark ? "dark){:root{--bg" : ":root{--bg")).lowerBound
    let start = try #require(sheet[theme...].firstRange(of: "--\(name):#")).upperBound
    var digits = String(sheet[start...].prefix { $0.isHexDigit })
    if digits.count == 3 { digits = digits.map { "\($0)\($0)" }.joined() }
    return RGBColor(hex: try #require(UInt32(digits, radix: 16)))
  }

  @Test(arguments: [false, true])
  func `text is readable on its background`(_ isDark: Bool) throws {
    let sheet = try Self.sheet(.training)
    for text in ["text", "muted", "accent", "bad"] {
      for ground in ["bg", "card"] {
        let contrast = try Self.color(text, in: sheet, isDark: isDark).contrast(
          with: Self.color(ground, in: sheet, isDark: isDark))
        #expect(contrast >= 4.5, "\(text) on \(ground)")
      }
    }
  }

  @Test(arguments: [false, true])
  func `text is readable on every cell of the matrix`(_ isDark: Bool) throws {
    let sheet = try Self.sheet(.training)
    let (text, card) = (
      try Self.color("text", in: sheet, isDark: isDark), try Self.color("card", in: sheet, isDark: isDark)
    )
    for name in ["right", "wrong"] {
      let colors = sheet.matches(
        of: try Regex("--\(name):(\\d+) (\\d+) (\\d+)", as: (Substring, Substring, Substring, Substring).self)
      )
      try #require(colors.count == 2)
      let channels = colors[isDark ? 1 : 0].output
      let color = RGBColor(
        red: try #require(UInt8(channels.1)), green: try #require(UInt8(channels.2)),
        blue: try #require(UInt8(channels.3)))
      let levels = sheet.matches(
        of: try Regex("rgb\\(var\\(--\(name)\\)/(0[.\\d]+)\\)\\}\n", as: (Substring, Substring).self))
      #expect(levels.count == 5)
      for level in levels {
        let ground = Self.blend(color, card, try #require(Double(level.output.1)))
        #expect(text.contrast(with: ground) >= 4.5, "\(name), \(level.output.1)")
      }
    }
  }

  @Test func `each class has its colour, and text on it is readable`() throws {
    let sheet = try Self.sheet(.images)
    for (index, color) in ClassPalette.colors.enumerated() {
      #expect(sheet.contains("\n.c\(index){--c:\(color);--t:\(color.textColor)}\n"))
    }
    let none = ClassPalette.unlabelled
    #expect(sheet.contains("\n.cn{--c:\(none);--t:\(none.textColor)}\n"))
  }

  private static func blend(_ color: RGBColor, _ ground: RGBColor, _ share: Double) -> RGBColor {
    func mixed(_ path: KeyPath<RGBColor, UInt8>) -> UInt8 {
      UInt8((Double(color[keyPath: path]) * share + Double(ground[keyPath: path]) * (1 - share)).rounded())
    }
    return RGBColor(red: mixed(\.red), green: mixed(\.green), blue: mixed(\.blue))
  }
}
