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
      bytes = try path == "-" ? standardInput() : SmallFile.bytes(of: path, limit: limit)
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

  private static func standardInput() throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Descriptor.read(STDIN_FILENO, into: &chunk)
      guard count >= 0 else { throw SystemError(Int32(-count)) }
      guard count > 0 else { return bytes }
      guard bytes.count + count <= limit else { throw SystemError(EFBIG) }
      bytes += chunk[..<count]
    }
  }
}
#endif
