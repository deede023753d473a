// SPDX-License-Identifier: Apache-2.0

import FoveaRender
import Testing

@Suite struct ClassPaletteTests {
  struct KeyCase: CustomTestStringConvertible {
    let key: String
    let color: String
    var testDescription: String { key.isEmpty ? "(empty)" : key }
  }

  static let keys = [
    KeyCase(key: "", color: "#E8EDF2"),
    KeyCase(key: "Fashion good", color: "#FF4F9A"),
    KeyCase(key: "Food", color: "#FF9500"),
    KeyCase(key: "Home good", color: "#38BDF8"),
    KeyCase(key: "Place", color: "#B84DFF"),
    KeyCase(key: "Plant", color: "#22C55E"),
    KeyCase(key: "cat", color: "#FFD60A"),
    KeyCase(key: "car", color: "#2563EB"),
  ]

  @Test(arguments: keys) func `a class name has the same colour in every run`(_ key: KeyCase) {
    #expect(ClassPalette.color(for: key.key).description == key.color)
  }

  @Test func `names that differ only in case or normalization are different keys without a crash`() {
    let colors = Set(
      ["", "\u{E9}", "e\u{301}", "🐈", String(repeating: "x", count: 100_000)].map(ClassPalette.color))
    #expect(colors.isSubset(of: ClassPalette.colors + [ClassPalette.unlabelled]))
  }

  @Test(arguments: ClassPalette.colors + [ClassPalette.unlabelled])
  func `text is readable on every colour`(_ color: RGBColor) {
    #expect(color.contrast(with: color.textColor) >= 4.5)
    #expect([.black, .white].contains(color.textColor))
  }

  @Test func `any two colours are clearly distinct`() {
    let all = ClassPalette.colors + [ClassPalette.unlabelled]
    for (index, one) in all.enumerated() {
      for other in all[..<index] {
        let distance = Lab(one).distance(to: Lab(other))
        #expect(distance >= 24, "\(one) and \(other) are \(distance) apart")
      }
    }
  }

  @Test func `colours of classes are saturated`() {
    for color in ClassPalette.colors {
      let channels = [color.red, color.green, color.blue]
      #expect((channels.max() ?? 0) - (channels.min() ?? 0) >= 100, "\(color)")
    }
  }

  @Test func `contrast matches WCAG`() {
    #expect(abs(RGBColor.black.contrast(with: .white) - 21) < 1e-9)
    #expect(abs(RGBColor.white.contrast(with: .white) - 1) < 1e-9)
    // The well-known lightest grey that passes level AA on white.
    #expect(abs(RGBColor(hex: 0x767676).contrast(with: .white) - 4.54) < 0.01)
  }
}
