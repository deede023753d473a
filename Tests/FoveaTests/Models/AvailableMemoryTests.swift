// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import Fovea

@Suite struct AvailableMemoryTests {
  struct LimitCase: CustomTestStringConvertible {
    var testDescription: String
    var files: [String: String]
    var limit: Int?
  }

  @Test(arguments: [
    LimitCase(testDescription: "no control groups", files: [:], limit: nil),
    LimitCase(
      testDescription: "version 2 in a container",
      files: ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "536870912\n"], limit: 536_870_912),
    LimitCase(
      testDescription: "version 2 without a limit",
      files: ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"], limit: nil),
    LimitCase(
      testDescription: "version 2, the group around it has less",
      files: [
        "proc/self/cgroup": "0::/slice/unit\n", "sys/fs/cgroup/slice/memory.max": "1000\n",
        "sys/fs/cgroup/slice/unit/memory.max": "2000\n",
      ], limit: 1_000),
    LimitCase(
      testDescription: "version 1",
      files: [
        "proc/self/cgroup": "7:memory:/a\n4:cpu,cpuacct:/a\n",
        "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "123456789\n",
      ], limit: 123_456_789),
    LimitCase(
      testDescription: "damaged",
      files: ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "much"], limit: nil),
    LimitCase(
      testDescription: "nothing",
      files: ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "0"], limit: nil),
  ])
  func `the limit is read from the control groups`(_ test: LimitCase) throws {
    let root = try TemporaryFolder()
    for (name, text) in test.files { try root.write(name, text) }
    #expect(AvailableMemory.limit(root: root.path) == test.limit)
  }

  @Test func `there is memory, and the process uses part of it`() {
    #expect(AvailableMemory.bytes > 1 << 20)
    #if os(Linux)
    let held = AvailableMemory.held
    #expect(held.map { $0 > 1 << 16 } == true)
    #endif
  }
}
