// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host experiment analyze`: what anybody's counts say.
struct AnalyzeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Say what counts say: fovea host experiment analyze counts.json",
    usage: "fovea host experiment analyze <file> [options]",
    discussion:
      "The file has the looks as increments, the control first:\n  {\"planned\": 10000, \"kind\": \"conversion\", \"weights\": [50, 50], \"looks\":\n   [{\"units\": [500, 500], \"sum\": [50, 61]}]}\nThe kind 'mean' needs \"squares\", too. \"alpha\" is 0.05 where it is missing."
  )

  @Argument(help: ArgumentHelp("The file of counts; - for standard input.", valueName: "file"))
  var file: String

  @OptionGroup var output: JSONOption

  func run() async throws {
    try await CommandEnd.printing { () throws(StatisticsError) in
      let counts = try CountsFile.read(file)
      let text = AnalysisText(analysis: try ExperimentAnalysis(counts), counts: counts)
      return output.json ? text.json : text.text
    }
  }
}

/// The counts of an experiment, as `analyze` reads them.
enum CountsFile {
  /// Reads a file, or standard input for `-`.
  /// - Throws: `invalid` where it cannot be read, is no JSON or lacks a member.
  static func read(_ path: String) throws(StatisticsError) -> MetricCounts {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes =
        try path == "-"
        ? SmallFile.bytes(from: STDIN_FILENO, limit: limit) : SmallFile.bytes(of: path, limit: limit)
    } catch {
      throw StatisticsError(
        .invalid, "'\(path.printable)' cannot be read: \(error.message)", remedy: "Name a file of counts")
    }
    do throws(JSONFailure) {
      return try JSONValue.decode(HostAnswer.Report.Counts.self, from: bytes).metric
    } catch {
      throw StatisticsError(
        .invalid,
        "'\(path.printable)' is no file of counts: \(error.reason)"
          + (error.path.isEmpty ? "" : " at \(error.path)"),
        remedy: "See 'fovea host experiment analyze --help' for its form")
    }
  }

  private static let limit = 64 << 20
}
#endif
