// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// What is asked of a benchmark.
struct BenchPlan: Sendable {
  enum Task: String, ExpressibleByArgument, CaseIterable, Sendable {
    case detect, label
  }

  enum Mode: String, ExpressibleByArgument, CaseIterable, Sendable {
    case latency, throughput, video
  }

  var task: Task
  var mode: Mode
  /// The model's file name, without folders.
  var model: String
  var threads = 0
  /// As asked; 0 is one for each core.
  var workers = 0
  var repetitions = 20
  /// The first frames of a video; 0 is all of them.
  var frames = 0
  /// The lowest score.
  var threshold: Float = 0
  var files: [String]

  /// Sessions that work at the same time.
  var sessions: Int { mode != .throughput ? 1 : workers > 0 ? workers : Cores.available }

  /// Threads of one session; nil is the library's default.
  var sessionThreads: Int? { mode == .throughput ? 1 : threads > 0 ? threads : nil }
}
