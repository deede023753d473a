// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaRender

@Suite struct CaptionTextTests {
  struct CleanCase: CustomTestStringConvertible {
    let id: String
    let text: String
    let cleaned: String
    var testDescription: String { id }
  }

  /// Code points that Swift has no literal for and that Cairo rejects.
  static let noncharacters = [0xFFFE, 0xFDD0, 0x1FFFF].compactMap { Unicode.Scalar($0 as UInt32) }
    .map { String($0) }.joined()

  static let cleanCases = [
    CleanCase(id: "plain", text: "Home good 0.83", cleaned: "Home good 0.83"),
    CleanCase(id: "empty", text: "", cleaned: ""),
    CleanCase(id: "only spaces", text: " \n\t\u{A0}", cleaned: ""),
    CleanCase(id: "line ends", text: " a\r\nb\u{2028}c\0d ", cleaned: "a b c d"),
    CleanCase(id: "direction marks", text: "a\u{202E}b\u{2066}c", cleaned: "abc"),
    CleanCase(id: "noncharacters", text: "a" + noncharacters, cleaned: "a\u{FFFD}\u{FFFD}\u{FFFD}"),
    CleanCase(id: "joined emoji", text: "👩‍🚀 é", cleaned: "👩‍🚀 é"),
    CleanCase(
      id: "a million letters", text: String(repeating: "x", count: 1_000_000),
      cleaned: String(repeating: "x", count: 256) + "…"),
  ]

  @Test(arguments: cleanCases) func `a caption is one drawable line`(_ clean: CleanCase) {
    #expect(CaptionText.cleaned(clean.text) == clean.cleaned)
  }

  struct FitCase: CustomTestStringConvertible {
    let text: String
    let width: Double
    let fitted: String?
    var testDescription: String { "\(text) in \(width)" }
  }

  static let fitCases = [
    FitCase(text: "abcdef", width: 6, fitted: "abcdef"),
    FitCase(text: "abcdef", width: 5.9, fitted: "abcd…"),
    FitCase(text: "abcdef", width: 2, fitted: "a…"),
    FitCase(text: "abcdef", width: 1, fitted: nil),
    FitCase(text: "abcdef", width: 0, fitted: nil),
    FitCase(text: "abcdef", width: -5, fitted: nil),
    FitCase(text: "ab cdef", width: 4, fitted: "ab…"),
    FitCase(text: "abcdef…", width: 6, fitted: "abcde…"),
    FitCase(text: "a", width: 0.5, fitted: nil),
    FitCase(text: "👩‍🚀👩‍🚀👩‍🚀", width: 2, fitted: "👩‍🚀…"),
  ]

  @Test(arguments: fitCases) func `text is cut to its width`(_ fit: FitCase) throws {
    let fitted = try CaptionText.fitted(fit.text, width: fit.width) { (text) throws(RenderError) in
      Double(text.count)
    }
    #expect(fitted == fit.fitted)
  }
}
