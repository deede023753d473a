// SPDX-License-Identifier: Apache-2.0
#if Server
  import FoveaErrors
  import FoveaHost
  import FoveaSystem
  import Testing

  @testable import FoveaServerCLI

  @Suite struct InterruptTests {
    struct Case: Sendable, CustomTestStringConvertible {
      let testDescription: String
      /// The signals, and when they come, in milliseconds.
      let signals: [(number: Int32, time: Int64)]
      /// The codes to exit with at once; nil for a signal that the command answers itself.
      let ends: [Int32?]
      let code: Int32?
    }

    @Test(arguments: [
      Case(testDescription: "none", signals: [], ends: [], code: nil),
      Case(testDescription: "one", signals: [(SIGINT, 0)], ends: [nil], code: 130),
      Case(
        testDescription: "a wrapper sends it again", signals: [(SIGINT, 5), (SIGINT, 5), (SIGINT, 104)],
        ends: [nil, nil, nil], code: 130),
      Case(
        testDescription: "a second one", signals: [(SIGINT, 5), (SIGINT, 105)], ends: [nil, 130], code: 130),
      Case(
        testDescription: "another one", signals: [(SIGHUP, 1), (SIGTERM, 2), (SIGTERM, 900)],
        ends: [nil, nil, 143], code: 129),
      Case(testDescription: "SIGTERM", signals: [(SIGTERM, 0)], ends: [nil], code: 143),
    ])
    func `the first signal and its echo are a request, a later one is the end`(_ test: Case) {
      let received = Interrupt.Received()
      #expect(test.signals.map { received.receive($0.number, at: $0.time) } == test.ends)
      #expect(received.code == test.code)
    }

    /// Imports three, of which the first is there when a signal comes.
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

    @Test func `an import that a signal ends says how far it is`() async {
      let cancelled = HostError(
        .cancelled, "Cancelled: 1 of 3 files and templates were imported",
        remedy: "Run the import again to go on: what the host has is not imported twice")
      #expect(await end(nil, isCancelled: true) == cancelled)
      #expect(await end(nil, isCancelled: false) == nil)
      // The host's own reasons stay.
      for code in [HostCode.cancelled, .unavailable] {
        let error = HostError(code, "The host ends", remedy: "Start it")
        #expect(await end(error, isCancelled: false) == error)
      }
    }
  }
#endif
