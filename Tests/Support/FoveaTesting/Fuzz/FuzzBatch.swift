// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaCore

/// Some seeds run by one child process; the parent reads its progress from a file, however the child ends.
///
/// `FOVEA_FUZZ_RUNS` is the number of seeds of each kind, `FOVEA_FUZZ_SEED` the first (default 1), and
/// `FOVEA_FUZZ_KIND` selects a single kind. With `FOVEA_FUZZ_KEEP=FOLDER` damaged files are kept there, each
/// by its kind and seed; best with few seeds.
public struct FuzzBatch: Sendable, Codable {
  /// The seeds.
  public let first: Int, end: Int
  /// The file for the present seed.
  let log: String

  /// The maximum processor time of one seed in seconds.
  public static let maximumSeconds = 5.0
  /// The maximum memory of the whole process in bytes.
  public static let maximumBytes = 1 << 30

  /// Returns an environment variable as a number.
  public static func setting(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  /// The kinds to run.
  public static func kinds<Kind: RawRepresentable & CaseIterable>(_: Kind.Type) -> [Kind]
  where Kind.RawValue == String {
    let wanted = ProcessInfo.processInfo.environment["FOVEA_FUZZ_KIND"]
    return Kind.allCases.filter { wanted == nil || $0.rawValue == wanted }
  }

  /// The folder for damaged files; nil keeps none.
  public static var keep: String? { ProcessInfo.processInfo.environment["FOVEA_FUZZ_KEEP"] }

  /// Runs each seed and prints the outcomes, in the form that `FuzzReport` reads.
  ///
  /// Called in the child process.
  /// - Parameters:
  ///   - name: The name of the kind of damage in failures.
  ///   - body: Runs a seed and returns its outcome in one word, such as an error's code.
  public func run(_ name: String, _ body: (UInt64) async throws -> String) async {
    var outcomes: [String: Int] = [:]
    let file = unsafe open(log, O_WRONLY)
    do {
      let silence = try StandardErrorCapture()
      for seed in first..<end {
        var number = Int64(seed)
        unsafe _ = pwrite(file, &number, 8, 0)
        // A hang ends the process; on a busy machine only processor time is a fair limit.
        alarm(120)
        let start = FuzzUsage.processorSeconds()
        let outcome = try await body(UInt64(seed))
        let seconds = FuzzUsage.processorSeconds() - start
        guard seconds < Self.maximumSeconds else { throw FuzzFailure("takes \(seconds) s") }
        guard FuzzUsage.peakBytes() < Self.maximumBytes else {
          throw FuzzFailure("takes \(FuzzUsage.peakBytes()) bytes (\(outcome))")
        }
        outcomes[outcome, default: 0] += 1
      }
      let output = silence.end()
      if !output.isEmpty { print("prints \(output.prefix(500).replacing("\n", with: " | "))") }
    } catch {
      print("failed \(error)")
    }
    alarm(0)
    for (outcome, count) in outcomes { print("count \(count) \(outcome)") }
    print("peak \(FuzzUsage.peakBytes() >> 20)")
  }
}
