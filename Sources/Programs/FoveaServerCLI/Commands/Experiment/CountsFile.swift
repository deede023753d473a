// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost

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
