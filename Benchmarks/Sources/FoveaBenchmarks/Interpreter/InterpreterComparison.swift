// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaRuntime
import TensorFlowLite

#if canImport(Glibc)
import Glibc
#endif

/// The cost of the TensorFlowLite API: a frame through `Interpreter` against one through LiteRT's C functions.
///
/// A frame copies the input in, runs, and copies the output out. The two alternate in one process, frame by frame, so
/// that other load on the machine affects both.
@safe
final class InterpreterComparison {
  private static let rounds = 5
  private static let frames = 300

  private let interpreter: Interpreter
  private let direct: DirectModel
  private let input: Data

  init(path: String) throws {
    var options = Interpreter.Options()
    options.threadCount = 1
    let interpreter = try Interpreter(modelPath: path, options: options)
    try interpreter.allocateTensors()
    // After the interpreter: LiteRT prints a line for the first model of a process, which Fovea suppresses.
    let direct = try DirectModel(path: path)
    self.direct = direct
    self.interpreter = interpreter
    input = Data((0..<direct.inputCount).map { UInt8(truncatingIfNeeded: $0 &* 31) })
  }

  /// Runs a frame through Google's API.
  func interpreterFrame() throws -> Data {
    try interpreter.copy(input, toInputAt: 0)
    try interpreter.invoke()
    return try interpreter.output(at: 0).data
  }

  /// Runs a frame through the C API.
  func directFrame() throws {
    unsafe try input.withUnsafeBytes { bytes in unsafe try direct.frame(bytes) }
  }

  /// Whether both return the same bytes.
  func agree() throws -> Bool {
    try directFrame()
    return try interpreterFrame().elementsEqual(unsafe Array(direct.answer))
  }

  /// Prints each round's medians and their ratio, and those of all rounds together.
  func report() throws {
    guard try agree() else { throw BenchmarkFailure("the interpreter and LiteRT's C functions differ") }
    for _ in 0..<Measurement.warmUps { _ = try (interpreterFrame(), directFrame()) }
    print("medians of \(Self.frames) frames each, CPU time of the one thread that computes")
    print("round    C API       Interpreter     ratio")
    var all: (direct: [Int], interpreter: [Int]) = ([], [])
    for round in 1...Self.rounds {
      let (direct, interpreter) = try self.round()
      Self.printLine("\(round)", direct, interpreter)
      all.direct += direct
      all.interpreter += interpreter
    }
    Self.printLine("all", all.direct, all.interpreter)
  }

  private func round() throws -> (direct: [Int], interpreter: [Int]) {
    var times: (direct: [Int], interpreter: [Int]) = ([], [])
    for frame in 0..<Self.frames {
      // The order alternates too.
      for turn in 0..<2 {
        let start = Self.threadTime()
        if (frame + turn).isMultiple(of: 2) {
          try directFrame()
          times.direct.append(Self.threadTime() - start)
        } else {
          _ = try interpreterFrame()
          times.interpreter.append(Self.threadTime() - start)
        }
      }
    }
    return times
  }

  private static func printLine(_ name: String, _ direct: [Int], _ interpreter: [Int]) {
    func median(_ times: [Int]) -> Double { Double(times.sorted()[times.count / 2]) / 1_000 }
    let (c, swift) = (median(direct), median(interpreter))
    let numbers = [(c, 1), (swift, 1), (swift / c, 4)].map { DecimalText.fixed($0.0, places: $0.1) }
    print("\(name)\t \(numbers[0]) µs\t\(numbers[1]) µs\t\(numbers[2])")
  }

  private static func threadTime() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
