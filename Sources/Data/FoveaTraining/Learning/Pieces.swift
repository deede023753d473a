// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Runs pieces of work on several threads.
enum Pieces {
  /// Returns the result of each piece, in the order of the pieces.
  /// - Parameters:
  ///   - count: The number of pieces.
  ///   - jobs: The maximum number of threads; 1 runs all pieces on the current thread.
  ///   - body: Runs the piece with a number.
  /// - Returns: One result per piece.
  /// - Throws: The first piece's problem; `cancelled`, after the running pieces, if the task is cancelled.
  static func map<Value: Sendable>(
    _ count: Int, jobs: Int, _ body: @Sendable (Int) throws(LearningProblem) -> Value
  ) throws(LearningProblem) -> [Value] {
    var answers: [Value] = []
    answers.reserveCapacity(count)
    guard jobs > 1, count > 1 else {
      for piece in 0..<count {
        answers.append(try body(piece))
        guard !Task.isCancelled else { throw .cancelled }
      }
      return answers
    }
    let next = Mutex(0)
    let results = Mutex([Result<Value, LearningProblem>?](repeating: nil, count: count))
    DispatchQueue.concurrentPerform(iterations: min(jobs, count)) { _ in
      while true {
        let piece = next.withLock { next in
          defer { next += 1 }
          return next
        }
        guard piece < count else { return }
        // Only the task's own thread sees the cancellation; it leaves no piece for the others.
        if Task.isCancelled { return next.withLock { $0 = count } }
        let result = Result { () throws(LearningProblem) in try body(piece) }
        results.withLock { $0[piece] = result }
      }
    }
    guard !Task.isCancelled else { throw .cancelled }
    for result in results.withLock({ $0 }) {
      if let result { answers.append(try result.get()) }
    }
    return answers
  }
}
