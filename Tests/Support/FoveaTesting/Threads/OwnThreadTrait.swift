// SPDX-License-Identifier: Apache-2.0

// The library of the tests is only available when tests are built.
#if canImport(Testing)
public import Testing

/// Runs each case on its own thread, for tests that block by design.
///
/// Swift runs all tests on as many threads as there are processors. A test that blocks one of them until
/// another task has run waits forever if all of them are blocked like this.
public struct OwnThreadTrait: TestTrait, SuiteTrait, TestScoping {
  /// A suite passes it on to its tests.
  public var isRecursive: Bool { true }

  /// Each case has its scope; a suite has none.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

  /// Runs a case, once one of the few threads is free.
  @concurrent public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    await ThreadSlots.shared.take()
    do {
      let thread = try OwnThread()
      defer { thread.close() }
      try await withTaskExecutorPreference(Executor(thread: thread)) { try await function() }
    } catch {
      ThreadSlots.shared.giveBack()
      throw error
    }
    ThreadSlots.shared.giveBack()
  }

  private final class Executor: TaskExecutor {
    private let thread: OwnThread

    init(thread: OwnThread) { self.thread = thread }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      thread.run { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
}

extension Trait where Self == OwnThreadTrait {
  /// Runs each case on its own thread, which it may block.
  public static var onOwnThread: Self { Self() }
}
#endif
