// SPDX-License-Identifier: Apache-2.0
#if Server
@testable import FoveaInference
import Synchronization
import Testing

@Suite struct IdleMemoryTests {
  private static let mebibyte = 1 << 20

  /// The memory of a process, which a trim reduces to `after`.
  private final class Process: Sendable {
    let held: Mutex<Int?>
    let trims = Mutex(0)
    let after: Int

    init(_ before: Int?, after: Int) {
      held = Mutex(before)
      self.after = after
    }

    func memory(isIdle: Bool) -> IdleMemory {
      IdleMemory(
        held: { self.held.withLock { $0 } },
        trim: {
          self.trims.withLock { $0 += 1 }
          self.held.withLock { $0 = self.after }
        }
      ) { isIdle }
    }
  }

  @Test(arguments: [
    (name: "grown and idle", before: 200, isIdle: true, floor: 100, after: 120, trims: 1, newFloor: 120),
    (
      name: "grown and at work", before: 200, isIdle: false, floor: 100, after: 120, trims: 0, newFloor: 100
    ),
    (name: "grown by little", before: 107, isIdle: true, floor: 100, after: 90, trims: 0, newFloor: 100),
    (
      name: "grown by just enough", before: 108, isIdle: true, floor: 100, after: 90, trims: 1, newFloor: 90
    ),
    (name: "not known", before: nil, isIdle: true, floor: 100, after: 90, trims: 0, newFloor: 100),
    (
      name: "nothing is given back", before: 200, isIdle: true, floor: 0, after: 200, trims: 1,
      newFloor: 200
    ),
  ])
  func `memory is returned if the process has grown and is idle`(
    name: String, before: Int?, isIdle: Bool, floor: Int, after: Int, trims: Int, newFloor: Int
  ) {
    let process = Process(before.map { $0 * Self.mebibyte }, after: after * Self.mebibyte)
    let found = process.memory(isIdle: isIdle).step(above: floor * Self.mebibyte)
    #expect(process.trims.withLock { $0 } == trims && found == newFloor * Self.mebibyte, "\(name)")
  }

  @Test func `the release of memory ends with its task`() async {
    let process = Process(nil, after: 0)
    let task = Task { await process.memory(isIdle: true).run() }
    task.cancel()
    await task.value
  }
}
#endif
