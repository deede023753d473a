// SPDX-License-Identifier: Apache-2.0

/// How many threads a session gets.
enum SessionThreads {
  /// Beyond four threads a run of a small model gets no shorter.
  private static let mostUseful = 4

  /// What was asked for; else one thread each with several sessions (throughput), and with one session (latency) as
  /// many as there are cores for this process, at most four.
  static func count(asked: Int?, sessions: Int) -> Int {
    asked ?? (sessions > 1 ? 1 : min(Cores.available, mostUseful))
  }
}
