// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// Points at which a test makes the host die or fail, in debug builds only.
///
/// `FOVEA_FAIL_AT=blob.rename` ends the process there with status 137, like a kill; `blob.rename:3` does so
/// the third time. `blob.write:2=28` fails with that `errno` from the second time on; `blob.write:2-3=28`
/// fails only the second and third time.
enum Failpoint {
  #if DEBUG
  private struct Plan {
    let name: String
    let turn: Int
    let last: Int
    let number: Int32?

    init?(_ text: String) {
      let halves = text.split(separator: "=", maxSplits: 1)
      let parts = (halves.first ?? "").split(separator: ":", maxSplits: 1)
      guard let name = parts.first else { return nil }
      self.name = String(name)
      let turns = parts.count > 1 ? parts[1].split(separator: "-") : []
      turn = turns.first.flatMap { Int($0) } ?? 1
      last = turns.count > 1 ? Int(turns[1]) ?? .max : .max
      number = halves.count > 1 ? Int32(halves[1]) : nil
    }
  }

  private static let plan = Environment.value("FOVEA_FAIL_AT").flatMap { Plan($0) }
  private static let count = Mutex(0)
  #endif

  /// Passes a failpoint, unless the plan names it.
  /// - Throws: The error that the plan names.
  static func pass(_ name: StaticString) throws(SystemError) {
    #if DEBUG
    guard let plan, plan.name == name.description else { return }
    let turn = count.withLock { count in
      count += 1
      return count
    }
    if let number = plan.number {
      if turn >= plan.turn, turn <= plan.last { throw SystemError(number) }
    } else if turn == plan.turn {
      _exit(137)
    }
    #endif
  }
}
#endif
