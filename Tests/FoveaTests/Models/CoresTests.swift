// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import Fovea

@Suite struct CoresTests {
  struct QuotaCase: CustomTestStringConvertible {
    var testDescription: String
    var files: [String: String]
    var quota: Double?
  }

  @Test(arguments: [
    QuotaCase(testDescription: "no control groups", files: [:], quota: nil),
    QuotaCase(
      testDescription: "version 2 in a container",
      files: ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "150000 100000\n"], quota: 1.5),
    QuotaCase(
      testDescription: "version 2 without a limit",
      files: ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "max 100000\n"], quota: nil),
    QuotaCase(
      testDescription: "version 2, the group around it has less",
      files: [
        "proc/self/cgroup": "0::/slice/unit\n", "sys/fs/cgroup/slice/cpu.max": "50000 100000\n",
        "sys/fs/cgroup/slice/unit/cpu.max": "400000 100000\n",
      ], quota: 0.5),
    QuotaCase(
      testDescription: "version 2, a path that starts outside the container",
      files: ["proc/self/cgroup": "0::/docker/7f\n", "sys/fs/cgroup/cpu.max": "300000 100000"], quota: 3),
    QuotaCase(
      testDescription: "version 1",
      files: [
        "proc/self/cgroup": "7:memory:/a\n4:cpu,cpuacct:/a\n",
        "sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us": "200000\n",
        "sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us": "100000\n",
      ], quota: 2),
    QuotaCase(
      testDescription: "version 1 without a limit",
      files: [
        "proc/self/cgroup": "4:cpu:/\n", "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
        "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
      ], quota: nil),
    QuotaCase(
      testDescription: "damaged files",
      files: ["proc/self/cgroup": "0::/\n:\n0:\nx", "sys/fs/cgroup/cpu.max": "100000 0 zero"], quota: nil),
    QuotaCase(
      testDescription: "a period of 0",
      files: ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "100000 0"], quota: nil),
    QuotaCase(
      testDescription: "numbers out of range",
      files: [
        "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "99999999999999999999 100000",
      ], quota: nil),
  ])
  func `a quota is read from the control groups`(_ test: QuotaCase) throws {
    let root = try TemporaryFolder()
    for (name, text) in test.files { try root.write(name, text) }
    #expect(CPUQuota.ofThisProcess(root: root.path) == test.quota)
  }

  @Test(
    arguments: [
      (8, nil, 8), (8, 2.0, 2), (8, 2.9, 2), (8, 0.25, 1), (2, 64.0, 2), (0, nil, 1), (4, 4.0, 4),
      (4, 1e300, 4),
    ] as [(Int, Double?, Int)])
  func `the cores are those of the affinity, or fewer if a quota is less`(
    _ affinity: Int, _ quota: Double?, _ count: Int
  ) {
    #expect(Cores.count(affinity: affinity, quota: quota) == count)
  }

  @Test(
    arguments: [
      (nil, 4), ("", 4), ("Name:\tx\n", 4), ("Cpus_allowed:\tb\nCpus_allowed_list:\t0-1,3\n", 3),
      ("Cpus_allowed:\tffffffff,ffffffff\n", 4), ("Cpus_allowed:\t00000000,00000001\n", 1),
      ("Cpus_allowed:\t0\n", 4), ("Cpus_allowed:\n", 4),
    ] as [(String?, Int)])
  func `the affinity equals the mask, on a machine with as many cores`(
    _ status: String?, _ count: Int
  )
    throws
  {
    let root = try TemporaryFolder()
    if let status { try root.write("proc/thread-self/status", status) }
    #expect(Cores.affinity(root: root.path, running: 4) == count)
  }

  @Test func `there is at least one core`() { #expect(Cores.available >= 1) }
}
