// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Testing

@Suite struct SharedTasksTests {
  private typealias Numbers = SharedTasks<String, Int>
  private enum Trace { @TaskLocal static var number: Int = 0 }
  private enum Problem: Error { case cancelled, refused }
  private typealias Answers = SharedTasks<String, CheckedContinuation<Result<Int, Problem>, Never>>

  private static func outcome(
    _ tasks: Answers, _ work: @escaping @Sendable () async throws(Problem) -> Int
  ) async -> Result<Int, Problem> {
    do throws(Problem) {
      return .success(try await tasks.value("a", cancelled: .cancelled, work: work))
    } catch {
      return .failure(error)
    }
  }

  @Test func `callers that arrive while a task runs share it until it ends`() async throws {
    let tasks = Numbers()
    let (runs, begun) = AsyncStream.makeStream(of: Numbers.Run.self)
    let tickets = (0..<3).map { _ in WaitTicket() }
    for (number, ticket) in tickets.enumerated() { tasks.join("a", ticket, number) { begun.yield($0) } }
    var next = runs.makeAsyncIterator()
    let first = await next.next()
    let run = try #require(first)
    #expect(tasks.listeners(of: run) == [0, 1, 2])
    #expect(tasks.leave("b", tickets[0]) == nil)
    #expect(tasks.leave("a", tickets[1]) == 1)
    #expect(tasks.leave("a", tickets[1]) == nil)
    #expect(tasks.listeners(of: run) == [0, 2])
    #expect(tasks.end(run) == [0, 2])
    #expect(tasks.end(run) == [] && tasks.listeners(of: run) == [])
    #expect(tasks.leave("a", tickets[0]) == nil)
  }

  @Test func `a task that all callers left is cancelled, and the next one of its key has other listeners`()
    async throws
  {
    let tasks = Numbers()
    let (runs, begun) = AsyncStream.makeStream(of: Numbers.Run.self)
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    let (one, other) = (WaitTicket(), WaitTicket())
    tasks.join("a", one, 1) { run in
      begun.yield(run)
      while !Task.isCancelled { await Task.yield() }
      ended.finish()
    }
    var next = runs.makeAsyncIterator()
    let first = await next.next()
    #expect(tasks.leave("a", one) == 1)
    for await _ in ends {}
    tasks.join("a", other, 2) { begun.yield($0) }
    let second = await next.next()
    let old = try #require(first)
    let new = try #require(second)
    #expect(tasks.listeners(of: old) == [] && tasks.end(old) == [])
    #expect(tasks.listeners(of: new) == [2])
  }

  @Test func `a caller gets the value or the error, and each later task is a new one`() async {
    let tasks = Answers()
    for answer in [Result<Int, Problem>.success(7), .failure(.refused), .success(8)] {
      let outcome = await Self.outcome(tasks) { () async throws(Problem) in try answer.get() }
      #expect(outcome == answer)
    }
  }

  @Test func `the task of a value has its caller's task-local values, and a joined one has none`() async {
    let tasks = Answers()
    let outcome = await Trace.$number.withValue(7) {
      await Self.outcome(tasks) { () async throws(Problem) in Trace.number }
    }
    #expect(outcome == .success(7))
    let (numbers, seen) = AsyncStream.makeStream(of: Int.self)
    Self.joinTraced(seen)
    var next = numbers.makeAsyncIterator()
    let joined = await next.next()
    #expect(joined == 0)
  }

  private static func joinTraced(_ seen: AsyncStream<Int>.Continuation) {
    Trace.$number.withValue(7) { Numbers().join("a", WaitTicket(), 1) { _ in seen.yield(Trace.number) } }
  }

  @Test func `a cancelled caller stops waiting, and its task is cancelled`() async {
    let tasks = Answers()
    let (begins, begun) = AsyncStream.makeStream(of: Void.self)
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    let caller = Task {
      await Self.outcome(tasks) { () async throws(Problem) in
        begun.finish()
        while !Task.isCancelled { await Task.yield() }
        ended.finish()
        throw .refused
      }
    }
    for await _ in begins {}
    caller.cancel()
    #expect(await caller.value == .failure(.cancelled))
    for await _ in ends {}
  }
}
