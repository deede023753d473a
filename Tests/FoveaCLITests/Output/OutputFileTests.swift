// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaCLI

@Suite struct OutputFileTests {
  @Test func `a closed pipe is distinguished from a failure`() throws {
    ProcessSignals.ignorePipes()
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    let file = OutputFile(descriptor: ends[1])
    do {
      try file.write("line\n")
      Issue.record("no one reads")
    } catch {
      guard case .closedPipe = error else {
        Issue.record("expected a closed pipe, got \(error)")
        return
      }
    }
  }

  @Test func `an unfinished replacement is removed`() throws {
    let folder = try TemporaryFolder()
    try folder.write("out", "old")
    do {
      let file = try OutputFile(path: folder["out"], appending: false, whenWhole: true)
      try file.write("new")
      #expect(folder.exists("out.partial"))
    }
    #expect(!folder.exists("out.partial"))
    #expect(try folder.read("out") == "old")
  }

  @Test func `a file is appended to or replaced`() throws {
    let folder = try TemporaryFolder()
    for (appending, expected) in [(false, "a\n"), (true, "a\na\n"), (false, "a\n")] {
      let file = try OutputFile(path: folder["out"], appending: appending, whenWhole: false)
      try file.write("a\n")
      try file.finish()
      #expect(try folder.read("out") == expected)
    }
  }
}

@Suite struct ConsoleTests {
  @Test func `the progress line makes room for all other output`() throws {
    let folder = try TemporaryFolder()
    let descriptor = try PhotoRunTests.descriptor(folder["err"])
    defer { close(descriptor) }
    let total = Console.Total()
    total.count = 4
    var time = Duration.seconds(1)
    let console = Console(
      descriptor: descriptor, showsProgress: true, sharesTerminalWithOutput: true, width: 20, total: total,
      now: { time })
    console.progress(done: 1, failed: 0, skipped: 0)
    time += .milliseconds(50)
    console.progress(done: 2, failed: 0, skipped: 0)  // Too early to draw again.
    console.withOutput {}
    console.error("x")
    console.endProgress()
    console.summary("end")
    #expect(
      try folder.read("err") == """
        \r1/4  1.0 images/s  \u{1B}[K\
        \r\u{1B}[K\r1/4  1.0 images/s  \u{1B}[K\
        \r\u{1B}[Kfovea: x\n\r1/4  1.0 images/s  \u{1B}[K\
        \r\u{1B}[Kend

        """)
  }

  @Test func `quiet, or no terminal, prints no progress`() throws {
    let folder = try TemporaryFolder()
    let descriptor = try PhotoRunTests.descriptor(folder["err"])
    defer { close(descriptor) }
    let console = Console(descriptor: descriptor, isQuiet: true, now: { .zero })
    console.progress(done: 1, failed: 0, skipped: 0)
    console.note("n")
    console.summary("s")
    console.detail("d")
    console.endProgress()
    #expect(try folder.read("err") == "")
  }
}
