// SPDX-License-Identifier: Apache-2.0

import Fovea
import Testing

@testable import FoveaCLI

@Suite struct AdviceWordsTests {
  struct WordsCase: CustomTestStringConvertible, Sendable {
    var advice: Advice
    var swift: String
    var commandLine: String
    var testDescription: String { commandLine }
  }

  @Test(arguments: [
    WordsCase(advice: "", swift: "", commandLine: ""),
    WordsCase(
      advice: "Raise \(term: .pixelLimit)", swift: "Raise ImageLimits.maxPixels",
      commandLine: "Raise --max-pixels"),
    WordsCase(
      advice: "Correct \(term: .sequences)", swift: "Correct the names of the sequences",
      commandLine: "Correct --sequences"),
    // The command line has no option for it.
    WordsCase(
      advice: "Shrink the video first\(term: .raisedLimit("VideoReader.Options.maximumPixels"))",
      swift: "Shrink the video first, or raise VideoReader.Options.maximumPixels if you trust its source",
      commandLine: "Shrink the video first"),
    WordsCase(
      advice: "Use a smaller image\(term: .raisedLimit("ImageLimits.maxFileBytes"))",
      swift: "Use a smaller image, or raise ImageLimits.maxFileBytes if you trust its source",
      commandLine: "Use a smaller image"),
  ])
  func `advice reads in the words of its reader`(_ row: WordsCase) {
    #expect(row.advice.description == row.swift)
    #expect(row.advice.commandLine == row.commandLine)
  }
}
