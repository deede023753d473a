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
      try await progress.step({ () throws(HostError) in }, isCancelled: { false })
      try await progress.step(
        { () throws(HostError) in if let error { throw error } }, isCancelled: { isCancelled })
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
    // The host's own reasons remain.
    for code in [HostCode.cancelled, .unavailable] {
      let error = HostError(code, "The host ends", remedy: "Start it")
      #expect(await end(error, isCancelled: false) == error)
    }
  }
}
#endif
