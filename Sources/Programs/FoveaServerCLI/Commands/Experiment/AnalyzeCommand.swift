// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host experiment analyze`: analyzes counts from a file.
struct AnalyzeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Analyze counts from a file.",
    usage: "fovea host experiment analyze <file> [options]",
    discussion: """
      The file lists the looks as increments, the control first:
        {"planned": 10000, "kind": "conversion", "weights": [50, 50], "looks":
         [{"units": [500, 500], "sum": [50, 61]}]}
      The kind 'mean' also needs "squares". "alpha" defaults to 0.05.
      """)

  @Argument(help: ArgumentHelp("The file with the counts; - for standard input.", valueName: "file"))
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

/// The counts of an experiment, in the format that `analyze` reads.
enum CountsFile {
  /// Reads a file, or standard input for `-`.
  /// - Throws: `invalid` if the file cannot be read, is not JSON, or lacks a member or has another one.
  static func read(_ path: String) throws(StatisticsError) -> MetricCounts {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes =
        try path == "-"
        ? SmallFile.bytes(from: STDIN_FILENO, limit: limit) : SmallFile.bytes(of: path, limit: limit)
    } catch {
      throw StatisticsError(
        .invalid, "'\(path.printable)' cannot be read: \(error.message)", remedy: "Choose a file with counts")
    }
    do throws(HostError) { return try HostAnswer.Report.Counts.read(bytes).metric } catch {
      throw StatisticsError(
        .invalid, "'\(path.printable)' is not a file of counts: \(error.message)",
        remedy: "See its format in 'fovea host experiment analyze --help'")
    }
  }

  private static let limit = 64 << 20
}
#endif
