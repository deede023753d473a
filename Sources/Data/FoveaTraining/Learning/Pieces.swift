// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Pieces of work that several threads take in turn.
enum Pieces {
  /// The answer for each piece, in the order of the pieces, whichever thread was first.
  /// - Parameters:
  ///   - count: How many pieces there are.
  ///   - jobs: The most threads that work at once; 1 stays on this one.
  ///   - body: Does the piece of a number.
  /// - Returns: As many answers as pieces.
  /// - Throws: The problem of the first piece that has one; `cancelled` once the task of this thread is, after the pieces in work.
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
        // Other threads than that of the task do not see that it is cancelled: this one leaves them nothing.
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
