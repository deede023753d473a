// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import Testing

@testable import FoveaServerCLI

@Suite struct ImportProgressTests {
  /// Imports three, the first of which exists when a signal arrives.
  private func end(_ error: HostError?, isCancelled: Bool) async -> HostError? {
    var progress = ImportProgress(count: 3)
    do throws(HostError) {
      try await progress.step("a", { () throws(HostError) in .imported }, isCancelled: { false })
      try await progress.step(
        "b",
        { () throws(HostError) in
          if let error { throw error }
          return .imported
        }, isCancelled: { isCancelled })
      return nil
    } catch {
      return error
    }
  }

  @Test func `the error of an import ended by a signal reports its progress`() async {
    let cancelled = HostError(
      .cancelled, "Cancelled: 1 of 3 files and templates were imported",
      remedy: "Run the import again to continue: existing files are not imported twice")
    #expect(await end(nil, isCancelled: true) == cancelled)
    #expect(await end(nil, isCancelled: false) == nil)
  }

  @Test(arguments: [HostCode.cancelled, .unavailable, .diskFull, .unauthenticated, .forbidden])
  func `the host's own error stops the import and counts what it did`(_ code: HostCode) async {
    let error = HostError(code, "The host ends", remedy: "Start it")
    let stopped = HostError(
      code, "The host ends. The import stopped: 1 of 3 files and templates were imported",
      remedy: "Start it")
    #expect(await end(error, isCancelled: false) == stopped)
  }

  /// Imports files of which some are refused, and returns the paths of the reported errors and the end.
  private func imported(
    _ files: [(path: String, code: HostCode?)], _ end: ImportProgress.End = .imported
  ) async throws(HostError) -> (reported: [String], end: HostError?) {
    var progress = ImportProgress(count: files.count)
    var reported: [String] = []
    for (path, code) in files {
      try await progress.step(
        path,
        { () throws(HostError) in
          if let code { throw HostError(code, "refused", remedy: "x", subject: path) }
          return end
        }, isCancelled: { false }, report: { reported.append($0.subject ?? "") })
    }
    do throws(HostError) { try progress.check() } catch { return (reported, error) }
    return (reported, nil)
  }

  @Test func `a refused file does not stop the import, and the last line names it`() async throws {
    let all = try await imported([("a", nil), ("b", nil)])
    #expect(all.reported.isEmpty && all.end == nil)
    let none = try await imported([])
    #expect(none.reported.isEmpty && none.end == nil)
    let some = try await imported([
      ("bird", nil), ("cat", .invalid), ("dog\n", .tooLarge), ("fish", nil), ("zebra", .corrupted),
    ])
    #expect(some.reported == ["cat", "dog\n", "zebra"])
    #expect(
      some.end?.message
        == "2 of 5 files and templates were imported; not imported: cat, \("dog\n".printable), zebra")
    let one = try await imported([("cat", .invalid)])
    #expect(one.end?.message == "0 of 1 file or template was imported; not imported: cat")
    let files: [(path: String, code: HostCode?)] = [("bird", nil), ("cat", .invalid), ("dog", nil)]
    #expect(
      try await imported(files, .known).end?.message
        == "0 of 3 files and templates were imported, 2 were on the host already; not imported: cat")
    #expect(
      try await imported(files, .left).end?.message
        == "0 of 3 files and templates were imported; not imported: bird, cat, dog")
    #expect(try await imported([("bird", nil)], .left).end == nil)
  }
}
#endif
