// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Measures Fovea's stages, one by one and end to end.
///
///     FoveaBenchmarks                    a table of times, allocations and peaks
///     FoveaBenchmarks --filter decode    only those whose name contains the text
///     FoveaBenchmarks --check            fails if allocations or peaks exceed the stored ones; no times
///     FoveaBenchmarks --update           stores the measured allocations and peaks
///     FoveaBenchmarks --interpreter FILE compares TensorFlowLite's interpreter with LiteRT's C API on a model
@main
struct FoveaBenchmarks {
  /// The folder of the repository: this file is Benchmarks/Sources/FoveaBenchmarks/FoveaBenchmarks.swift in it.
  private static let root = String(
    #filePath.dropLast("/Benchmarks/Sources/FoveaBenchmarks/FoveaBenchmarks.swift".count))
  private static let model = root + "/Sources/C/CEmbeddedModels/models/localizer_int8.tflite"
  private static let photo = root + "/Examples/photos/astronaut.jpg"

  static func main() async {
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("benchmarks: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) async throws {
    let filter = arguments.firstIndex(of: "--filter").flatMap { index in
      index + 1 < arguments.count ? arguments[index + 1] : nil
    }
    let (checks, updates) = (arguments.contains("--check"), arguments.contains("--update"))
    if let flag = arguments.firstIndex(of: "--interpreter") {
      guard flag + 1 < arguments.count else { throw BenchmarkFailure("--interpreter needs a model file") }
      return try InterpreterComparison(path: arguments[flag + 1]).report()
    }
    if let problem = HeapCheck.problem() {
      throw BenchmarkFailure("heap allocations are counted wrongly: \(problem)")
    }
    try print(machine())

    var benchmarks = try ImageStages.all(photo: photo, wide: root + "/Examples/photos/coffee.jpg")
    benchmarks += try await ModelStages.all(
      model: model, photo: photo, fixture: root + "/Tests/Fixtures/models/yolov8_int8.tflite")
    benchmarks += try InterpreterStages.all(
      model: root + "/Sources/C/CEmbeddedModels/models/coarse_int8.tflite")
    benchmarks += try DecodingStages.all() + MaskStages.all() + OutputStages.all() + FlowStages.all()
    benchmarks += try TrackingStages.all()
    if let filter { benchmarks.removeAll { !$0.name.contains(filter) } }

    let path = "\(root)/Benchmarks/Thresholds/\(swiftVersion)/\(platform).txt"
    let stored = checks ? try Thresholds(contentsOf: path) : Thresholds()
    var measured = Thresholds()
    var violations: [String] = []
    print(ResultTable.header)
    for benchmark in benchmarks {
      let result = try await Measurement.measure(benchmark, timed: !checks)
      print(ResultTable.line(benchmark, result))
      measured.set(benchmark.name, .init(allocations: result.allocations, peakBytes: result.peakBytes))
      if checks, let violation = stored.violation(benchmark.name, result) { violations.append(violation) }
    }
    if updates && filter == nil { try measured.write(to: path) }
    guard violations.isEmpty else {
      throw BenchmarkFailure(
        "more memory than stored in \(path):\n  " + violations.joined(separator: "\n  ")
          + "\nUse less, or store the new values with make bench-update and explain why in the commit.")
    }
  }

  private static func machine() throws -> String {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: model)))
    let hash = SHA256.hexadecimal(of: bytes.span).prefix(12)
    let cpus = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let name = cpus.split(separator: "\n").first { $0.hasPrefix("model name") }?.split(separator: ":").last
    return """
      \(name.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown processor"), \
      \(ProcessInfo.processInfo.activeProcessorCount) cores, Swift \(swiftVersion), \(platform), 1 thread
      model localizer_int8.tflite sha256 \(hash)…, photo astronaut.jpg; \(Measurement.warmUps) warm-ups, \
      \(Measurement.iterationRange.lowerBound) runs or \(Measurement.seconds) s

      """
  }

  private static var swiftVersion: String {
    #if compiler(>=6.4)
    "6.4"
    #elseif compiler(>=6.3)
    "6.3"
    #else
    "6.2"
    #endif
  }

  private static var platform: String {
    #if arch(x86_64)
    "x86_64"
    #else
    "arm64"
    #endif
  }
}
