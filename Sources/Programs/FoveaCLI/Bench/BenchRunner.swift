// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import Synchronization

/// Runs a benchmark with the same timed sections, in the same order, as the benchmarks of the compared
/// libraries.
struct BenchRunner {
  /// Wall time and CPU time, replaced in tests.
  struct Clocks: Sendable {
    var wall: @Sendable () -> Duration
    var cpu: @Sendable () -> Duration

    static let process: Clocks = {
      let start = ContinuousClock.now
      return Clocks(wall: { ContinuousClock.now - start }, cpu: { ProcessUsage.cpuTime })
    }()
  }

  let plan: BenchPlan
  var clocks = Clocks.process

  func run(
    liteRT: String?, makeAnalyzer: () async throws(FoveaError) -> any ImageAnalyzer
  ) async throws(FoveaError) -> BenchReport {
    try await report(liteRT: liteRT, making: makeAnalyzer) { analyzer throws(FoveaError) in
      plan.mode == .latency
        ? .latency(try await latency(analyzer)) : .throughput(await throughput(analyzer))
    }
  }

  /// Times `make`, measures its result, and adds the usage of the whole process.
  func report<Subject>(
    liteRT: String?, making make: () async throws(FoveaError) -> Subject,
    measuring measure: (Subject) async throws(FoveaError) -> BenchReport.Measured
  ) async throws(FoveaError) -> BenchReport {
    let start = clocks.wall()
    let subject = try await make()
    let creation = clocks.wall() - start
    let measured = try await measure(subject)
    return BenchReport(
      plan: plan, liteRT: liteRT, creation: creation.milliseconds, measured: measured,
      peakMemory: ProcessUsage.peakMemory, cpu: clocks.cpu().seconds)
  }

  private func latency(_ analyzer: any ImageAnalyzer) async throws(FoveaError) -> [BenchReport.Image] {
    var images: [BenchReport.Image] = []
    for path in plan.files {
      let start = clocks.wall()
      let answer = try await analyzer.answer(path)
      let first = clocks.wall() - start
      var times: [Duration] = []
      let cpuStart = clocks.cpu()
      for _ in 0..<plan.repetitions {
        let start = clocks.wall()
        _ = try await analyzer.answer(path)
        times.append(clocks.wall() - start)
      }
      let cpu = clocks.cpu() - cpuStart
      let inference =
        plan.repetitions > 0
        ? try await analyzer.inferenceTimes(in: Photo(.file(path)), count: plan.repetitions) : nil
      guard let endToEnd = TimeSummary(times.isEmpty ? [first] : times, first: first) else { continue }
      images.append(
        BenchReport.Image(
          file: FilePath(path).lastComponent, size: answer.size, endToEnd: endToEnd,
          inference: inference.flatMap { TimeSummary($0) },
          cpuPerImage: plan.repetitions > 0 ? cpu.seconds / Double(plan.repetitions) : nil,
          items: answer.items))
    }
    return images
  }

  private func throughput(_ analyzer: any ImageAnalyzer) async -> BenchReport.Throughput {
    let passes = max(1, plan.repetitions)
    let count = plan.files.count * passes
    let failures = Failures()
    let next = Counter()
    let files = plan.files
    let (cpu, start) = (clocks.cpu(), clocks.wall())
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<plan.sessions {
        group.addTask {
          while let index = next.take(below: count) {
            let path = files[index % files.count]
            do throws(FoveaError) { _ = try await analyzer.answer(path) } catch {
              failures.add("\(FilePath(path).lastComponent): \(error.message)")
            }
          }
        }
      }
    }
    let (failed, texts) = failures.result
    return BenchReport.Throughput(
      images: count, wall: (clocks.wall() - start).seconds, cpu: (clocks.cpu() - cpu).seconds,
      failed: failed, failures: texts, peakMemory: ProcessUsage.peakMemory)
  }

  /// Assigns each index to one worker.
  private final class Counter: Sendable {
    private let value = Atomic<Int>(0)
    func take(below limit: Int) -> Int? {
      let index = value.wrappingAdd(1, ordering: .relaxed).oldValue
      return index < limit ? index : nil
    }
  }

  /// Counts all failures and keeps the first five.
  private final class Failures: Sendable {
    private let state = Mutex<(count: Int, texts: [String])>((0, []))
    func add(_ text: String) {
      state.withLock { state in
        state.count += 1
        if state.texts.count < 5 { state.texts.append(text) }
      }
    }
    var result: (Int, [String]) { state.withLock { ($0.count, $0.texts) } }
  }
}

extension ImageAnalyzer {
  /// Opens and decodes a file, runs the model, and builds the results.
  fileprivate func answer(_ path: String) async throws(FoveaError) -> BenchAnswer {
    BenchAnswer(try await findings(in: Photo(.file(path))))
  }
}
