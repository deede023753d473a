// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// The settings of a benchmark.
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
  /// The requested number of workers; 0 is one per core.
  var workers = 0
  var repetitions = 20
  /// The number of frames of a video; 0 is all.
  var frames = 0
  /// The minimum score.
  var threshold: Float = 0
  var files: [String]

  /// The number of sessions that run in parallel.
  var sessions: Int { mode != .throughput ? 1 : workers > 0 ? workers : Cores.available }

  /// The threads per session; nil is the library's default.
  var sessionThreads: Int? { mode == .throughput ? 1 : threads > 0 ? threads : nil }
}
