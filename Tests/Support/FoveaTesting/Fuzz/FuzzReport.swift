// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaCore

/// The outcomes of all seeds of a kind, from several child processes.
public struct FuzzReport: CustomStringConvertible {
  private let name: String
  private let end: Int
  private let log: Log
  private var next: Int
  private var outcomes: [String: Int] = [:]
  private var peak = 0
  private var output = ""
  /// The forbidden outcomes, with their seeds.
  public private(set) var failures: [String] = []

  private static let batch = 1000
  private static let maximumFailures = 40

  /// Starts with the first seed.
  /// - Parameters:
  ///   - name: The name of the kind of damage in failures.
  ///   - runs: The number of seeds unless `FOVEA_FUZZ_RUNS` sets another.
  ///   - share: The divisor of that number, for slow kinds.
  /// - Throws: `FuzzFailure` if no file can be created.
  public init(_ name: String, runs: Int = 300, share: Int = 1) throws {
    self.name = name
    next = FuzzBatch.setting("FOVEA_FUZZ_SEED") ?? 1
    end = next + max(1, (FuzzBatch.setting("FOVEA_FUZZ_RUNS") ?? runs) / share)
    var path = Array("/tmp/fovea-fuzz-XXXXXX".utf8CString)
    let file = unsafe mkstemp(&path)
    guard file >= 0 else { throw FuzzFailure("no file can be made in /tmp") }
    close(file)
    log = Log(path: String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
  }

  /// The file that a child writes its seed to; removed with the report.
  private final class Log {
    let path: String
    init(path: String) { self.path = path }
    deinit { unsafe unlink(path) }
  }

  /// Returns the seeds for the next child process; nil when all are done.
  public var batch: FuzzBatch? {
    guard next < end, failures.count < Self.maximumFailures else { return nil }
    return FuzzBatch(first: next, end: min(next + Self.batch, end), log: log.path)
  }

  /// Adds the output of a child process.
  /// - Parameters:
  ///   - standardOutput: Its output; nil if it crashed.
  ///   - batch: The seeds it ran.
  public mutating func take(_ standardOutput: [UInt8]?, of batch: FuzzBatch) {
    let reached =
      (try? Data(contentsOf: URL(fileURLWithPath: log.path)))?.reversed()
      .reduce(0) { $0 << 8 | Int($1) } ?? batch.first
    guard let standardOutput else {
      failures.append("\(name) with seed \(reached) ends the process")
      next = reached + 1
      return
    }
    next = batch.end
    for line in String(decoding: standardOutput, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      switch words.first {
      case "failed":
        failures.append("\(name) with seed \(reached): \(line.dropFirst("failed ".count))")
        next = reached + 1
      case "count": outcomes[words.last ?? "", default: 0] += Int(words.dropFirst().first ?? "") ?? 0
      case "peak": peak = max(peak, Int(words.last ?? "") ?? 0)
      case "prints": output = String(line.dropFirst("prints ".count))
      default: break
      }
    }
  }

  /// The number of each outcome, and the most memory.
  public var description: String {
    let counts = outcomes.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.map { "\($0.value) \($0.key)" }
    return "\(name): \(counts.joined(separator: ", ")); at most \(peak) MiB"
      + (output.isEmpty ? "" : "; prints \(output)")
  }
}
