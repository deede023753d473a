// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
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
      advice: "Raise \(option: "max-pixels")", swift: "Raise ImageLimits.maxPixels",
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
    WordsCase(
      advice: "Name another folder with \(flag: "output", "its path")",
      swift: "Name another folder with its path",
      commandLine: "Name another folder with --output"),
    WordsCase(
      advice: "Detect again with \(flag: "yolo-scores", "scores")", swift: "Detect again with scores",
      commandLine: "Detect again with --yolo-scores"),
    WordsCase(
      advice: "\(term: .inspect) shows it", swift: "ModelInspection shows it",
      commandLine: "'fovea model inspect' shows it"),
    WordsCase(
      advice: "Write them: \(term: .addMetadata("--labels FILE"))", swift: "Write them: MetadataAddition",
      commandLine: "Write them: fovea model add-metadata --labels FILE"),
  ])
  func `advice uses the terms of its reader`(_ row: WordsCase) {
    #expect(row.advice.description == row.swift)
    #expect(row.advice.commandLine == row.commandLine)
  }

  private static let terms: [Advice.Term] = [
    .option("activation", "sigmoid"), .option("background", "first"), .option("family", "yolov8"),
    .option("labels", "FILE"), .option("normalize", "MEAN,STD"), .option("max-pixels"),
    .flag("benchmark", "TrackingBenchmark"), .sequences, .flag("ignore-unknown"),
    .flag("upright", "upright()"), .modelHost,
  ]

  /// Each command without subcommands, by its arguments.
  static func commands(
    _ choices: [any ParsableCommand.Type] = FoveaCommand.configuration.subcommands, _ above: [String] = []
  ) -> [[String]] {
    choices.flatMap { command in
      let names = above + [command.configuration.commandName ?? ""]
      let below = command.configuration.subcommands
      return below.isEmpty ? [names] : commands(below, names)
    }
  }

  private static func hasOption(_ option: String, _ arguments: [String]) throws -> Bool {
    let command = try #require(CommandWords.command(arguments))
    let help = FoveaCommand.helpMessage(for: command, includeHidden: true, columns: 400)
    return [" ", "\n", "/"].contains { help.contains(option + $0) }
  }

  @Test(arguments: commands())
  func `advice names options of the command that prints it, or a command that has them`(
    _ arguments: [String]
  ) throws {
    let words = CommandWords(CommandWords.command(arguments))
    for term in Self.terms {
      let (option, home) = try #require(CommandWords.option(of: term))
      let text = words.text(for: term)
      #expect(text.hasPrefix(option))
      let isOwn = try Self.hasOption(option, arguments)
      #expect(text.hasSuffix(" of \(home)") == !isOwn, "\(arguments): \(text)")
      for place in home.split(separator: "'") where place.hasPrefix("fovea ") {
        #expect(
          try Self.hasOption(option, place.split(separator: " ").dropFirst().map(String.init)), "\(place)")
      }
    }
  }

  @Test func `bench has the options that advice for models and photos names`() {
    let words = CommandWords(BenchCommand.self)
    for term in Self.terms.prefix(6) { #expect(words.text(for: term) == term.commandLine) }
  }

  @Test(
    arguments: [
      (["train", "objects", "set"], "--labels FILE of 'fovea model add-metadata'"),
      (["bench", "--model", "m", "a.jpg"], "--labels FILE"),
      (["train", "labels", "set"], "--labels FILE of 'fovea model add-metadata'"),
      (["model", "check", "m"], "--labels FILE"), (["detect", "a.jpg"], "--labels FILE"),
      ([], "--labels FILE"),
      (["a.jpg", "bench"], "--labels FILE"),
    ] as [([String], String)])
  func `the command is the one its arguments name`(_ arguments: [String], _ text: String) {
    let words = CommandWords(CommandWords.command(arguments))
    let advice: Advice = "Give \(option: "labels", "FILE")"
    #expect(advice.commandLine(words) == "Give " + text)
  }

  @Test(
    arguments: [
      (["detect", "a.jpg"], "'fovea label' or --classifier"),
      (["track", "a.mp4"], "'fovea label' or --classifier"),
      (["train", "objects", "set"], "'fovea label'"), (["model", "inspect", "m"], "'fovea label'"),
      ([], "'fovea label' or --classifier"),
    ] as [([String], String)])
  func `advice for classifiers names --classifier only to commands that have it`(
    _ arguments: [String], _ text: String
  ) {
    let advice: Advice = "Use \(term: .labeler) for a classifier"
    #expect(
      advice.commandLine(CommandWords(CommandWords.command(arguments))) == "Use \(text) for a classifier")
  }
}
