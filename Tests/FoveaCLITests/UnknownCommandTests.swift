// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaCLI

@Suite struct UnknownCommandTests {
  private static let all =
    "The commands are detect, label, segment, track, embed, evaluate, train, model, host, serve and bench."
  private static let end =
    "\nUsage: fovea [--version] <subcommand>\n  See 'fovea --help' for more information.\n"
  private static let modelEnd =
    "\nUsage: fovea model <subcommand>\n  See 'fovea model --help' for more information.\n"

  struct WordCase: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var advice: String
    var end = UnknownCommandTests.end
    var testDescription: String { arguments.joined(separator: " ") }
  }

  @Test(arguments: [
    WordCase(arguments: ["detct", "a.jpg"], advice: "Unknown command 'detct'. Did you mean 'detect'?"),
    WordCase(
      arguments: ["Detect", "a", "--threshold", "1"],
      advice: "Unknown command 'Detect'. Did you mean 'detect'?"),
    WordCase(arguments: ["lable"], advice: "Unknown command 'lable'. Did you mean 'label'?"),
    WordCase(arguments: ["help", "trakc"], advice: "Unknown command 'trakc'. Did you mean 'track'?"),
    WordCase(
      arguments: ["model", "inspekt", "m.tflite"],
      advice: "Unknown command 'inspekt'. Did you mean 'inspect'?",
      end: modelEnd),
    WordCase(
      arguments: ["help", "model", "lst"], advice: "Unknown command 'lst'. Did you mean 'list'?",
      end: modelEnd),
    WordCase(
      arguments: ["evaluate", "traking"], advice: "Unknown command 'traking'. Did you mean 'tracking'?",
      end: "\nUsage: fovea evaluate <subcommand>\n  See 'fovea evaluate --help' for more information.\n"),
    WordCase(
      arguments: ["xyzzy"],
      advice: "Unknown command 'xyzzy'. \(all)"),
    WordCase(
      arguments: [""],
      advice: "Unknown command ''. \(all)"),
    WordCase(
      arguments: ["\u{1B}[31m\n"],
      advice: "Unknown command '\\u{1b}[31m\\n'. \(all)"),
  ])
  func `an unknown word is answered with the nearest command`(_ test: WordCase) {
    #expect(UnknownCommand(in: test.arguments)?.text == "Error: " + test.advice + test.end)
  }

  @Test(arguments: [
    ("cat.jpg", "detect"), ("photos", "detect"), ("walk.MP4", "track"), ("m.tflite", "model inspect"),
    ("detct", "detect"),
  ])
  func `an existing file is answered with the command for it`(_ name: String, _ verb: String) throws {
    let folder = try TemporaryFolder()
    for name in ["cat.jpg", "walk.MP4", "m.tflite", "photos/a.jpg", "detct"] {
      try folder.write(name, "")
    }
    let advice = "Unknown command '\(folder[name])'. Did you mean '\(verb) \(folder[name])'?"
    #expect(UnknownCommand(in: [folder[name]])?.text == "Error: " + advice + Self.end)
  }

  @Test(arguments: [
    [], ["detect", "detct"], ["--version"], ["--help", "detct"], ["help"], ["help", "model", "list"],
    ["model"], ["model", "list", "x"], ["evaluate", "detection"], ["--vesion"], ["-h"], ["bench", "model"],
  ])
  func `errors of the parser are left to the parser`(_ arguments: [String]) {
    #expect(UnknownCommand(in: arguments) == nil)
  }
}
