// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaJSON
import FoveaCore
import FoveaHost

/// The counts of an experiment, as `analyze` reads them.
struct CountsFile: Decodable {
  /// What came since the look before; one number for each arm.
  struct Look: Decodable {
    var units: [Int]
    var sum: [Double]
    var squares: [Double]?
    var weights: [Double]?
  }

  var alpha: Double?
  var planned: Double
  var kind: MetricKind
  var weights: [Double]
  var looks: [Look]

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
    do throws(UntrustedJSON.Failure) {
      return try UntrustedJSON().decode(CountsFile.self, from: bytes[...]).counts()
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

  private func counts() throws(UntrustedJSON.Failure) -> MetricCounts {
    MetricCounts(
      alpha: alpha ?? 0.05, planned: planned, kind: kind, weights: weights,
      looks: looks.map { look in
        // Arms whose numbers are missing are found by the check.
        let squares = look.squares ?? (kind == .conversion ? look.sum : [])
        let count = [look.units.count, look.sum.count, squares.count].min() ?? 0
        let isWhole = look.units.count == look.sum.count && look.sum.count == squares.count
        return MetricCounts.Look(
          arms: isWhole
            ? (0..<count).map { ArmSums(units: look.units[$0], sum: look.sum[$0], squares: squares[$0]) }
            : [],
          weights: look.weights)
      })
  }
}
#endif
