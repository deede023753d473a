// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Testing

@Suite struct AdviceTermTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var term: Advice.Term
    var swift: String
    var program: String
    var testDescription: String { program }
  }

  private static let rows = [
    Row(term: .option("max-objects"), swift: "Options.maxObjects", program: "--max-objects"),
    Row(term: .option("fit", "crop"), swift: "Options.fit", program: "--fit crop"),
    // Another name or a value type in Swift.
    Row(
      term: .option("activation", "sigmoid"), swift: "Options.scoreActivation = .sigmoid",
      program: "--activation sigmoid"),
    Row(
      term: .option("background", "first"), swift: "Options.hasBackgroundClass = true",
      program: "--background first"),
    Row(
      term: .option("background", "none"), swift: "Options.hasBackgroundClass = false",
      program: "--background none"),
    Row(term: .option("background"), swift: "Options.hasBackgroundClass", program: "--background"),
    Row(
      term: .option("family", "st-ssd"), swift: "Options.family = DetectorFamily(\"st-ssd\")",
      program: "--family st-ssd"),
    Row(term: .option("labels", "FILE"), swift: "Options.labelFile", program: "--labels FILE"),
    Row(
      term: .option("normalize", "MEAN,STD"), swift: "Options.normalization",
      program: "--normalize MEAN,STD"),
    Row(term: .option("max-pixels"), swift: "ImageLimits.maxPixels", program: "--max-pixels"),
    // Terms without a Swift name are printed as in the programs.
    Row(term: .flag("output", "its path"), swift: "its path", program: "--output"),
    Row(term: .flag("max-upload"), swift: "--max-upload", program: "--max-upload"),
    Row(term: .inspect, swift: "ModelInspection", program: "'fovea model inspect'"),
    Row(term: .command("host fsck"), swift: "'fovea host fsck'", program: "'fovea host fsck'"),
    Row(
      term: .addMetadata("--labels FILE"), swift: "MetadataAddition",
      program: "fovea model add-metadata --labels FILE"),
    Row(term: .call("host console"), swift: "fovea host console", program: "fovea host console"),
    Row(term: .raisedLimit("L.m"), swift: ", or raise L.m if you trust its source", program: ""),
  ]

  @Test(arguments: rows) func `a term follows its reader's rule`(_ row: Row) {
    let advice: Advice = "Give \(term: row.term)"
    #expect(advice.description == "Give \(row.swift)")
    #expect(advice.text(\.program) == "Give \(row.program)" && "\(program: row.term)" == row.program)
  }

  @Test(arguments: [
    ("", ""), ("iou", "iou"), ("max-objects", "maxObjects"), ("cross-class-iou", "crossClassIou"),
  ])
  func `an option has the name of a property in Swift`(_ name: String, _ property: String) {
    #expect(Advice.Term.property(name) == property)
  }

  @Test func `each word of an interpolation is its term`() {
    let advice: Advice =
      "\(option: "labels", "FILE") \(flag: "map", "Renaming") \(command: "model list") \(call: "model list")"
    #expect(advice.description == "Options.labelFile Renaming 'fovea model list' fovea model list")
    #expect(advice.text(\.program) == "--labels FILE --map 'fovea model list' fovea model list")
  }
}
