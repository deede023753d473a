// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Synchronization
import Testing

@testable import FoveaHost

@Suite struct SharedOperationTests {
  private static let error = HostError(.damaged, "m", remedy: "r")

  /// The ends that an ``Operations`` has stored for other nodes.
  private final class Told: Sendable {
    let operations = Mutex<[String: SharedOperation]>([:])
    subscript(id: String) -> SharedOperation? { operations.withLock { $0[id] } }
  }

  private static func operations(_ told: Told) -> Operations {
    Operations { id, operation in told.operations.withLock { $0[id] = operation } }
  }

  @Test(
    arguments: [
      .success(HostSamples.model(id: "7")), .failure(Self.error),
    ] as [Result<HostModel, HostError>])
  func `the end of a check is stored only if other nodes know it`(result: Result<HostModel, HostError>) {
    let told = Told()
    let operations = Self.operations(told)
    operations.begin("a", model: "7")
    operations.begin("b", model: "7")
    operations.begin("c", model: "7", isShared: true)
    #expect(operations.share("b") == SharedOperation(model: "7"))
    for id in ["a", "b", "c"] { operations.end(id, with: result) }
    #expect(told["a"] == nil)
    switch result {
    case .success:
      #expect(told["b"] == SharedOperation(model: "7", outcome: .checked))
      #expect(operations.share("a") == told["b"], "one that has ended meanwhile")
    case .failure(let error): #expect(told["b"]?.outcome == .init(error))
    }
    #expect(told["c"] == told["b"])
  }

  @Test func `an unknown operation is not shared`() {
    let told = Told()
    let operations = Self.operations(told)
    #expect(operations.share("x") == nil)
    #expect(!operations.isRunning("x"))
    operations.begin("a", model: "1")
    #expect(operations.isRunning("a"))
    operations.end("a", with: .failure(Self.error))
    #expect(!operations.isRunning("a"))
  }

  @Test(arguments: [
    SharedOperation(model: "birds", sender: "ci"), SharedOperation(model: "1", outcome: .checked),
    SharedOperation(
      model: "birds", sender: "c\"i",
      outcome: .published(version: 2, channel: "stable", isRepeated: true, before: nil)),
    SharedOperation(
      model: "birds", sender: "ci",
      outcome: .published(version: 2, channel: "stable", isRepeated: true, before: 1, endedRollout: 3)),
    SharedOperation(model: "", outcome: .init(Self.error)),
  ])
  func `an operation is the same after it was stored`(operation: SharedOperation) throws {
    let text = try ColumnJSON.text(operation)
    #expect(try ColumnJSON.value(text, as: SharedOperation.self) == operation)
  }

  @Test func `a publish of another node has the version of the model here`() throws {
    let model = try HostSamples.published(3)
    let made = try SharedOperation.Outcome.published(
      version: 2, channel: "beta", isRepeated: false, before: 1
    ).result { () throws(HostError) in model }.get()
    #expect(made.version == model.versions[1])
    #expect(made.channel == "beta" && made.before == 1 && !made.isRepeated)
    let gone = SharedOperation.Outcome.published(version: 9, channel: "beta", isRepeated: false, before: 1)
      .result { () throws(HostError) in model }
    #expect(throws: HostError.self) { try gone.get() }
    #expect(SharedOperation(model: "birds").hasVersion == false)
    #expect(SharedOperation(model: "1", outcome: .checked).hasVersion)
    #expect(SharedOperation(model: "", outcome: .init(Self.error)).hasVersion == false)
    let failed = SharedOperation.Outcome(Self.error).result { () throws(HostError) in model }
    #expect(#expect(throws: HostError.self) { try failed.get() }?.code == .damaged)
  }

  @Test(
    arguments: [
      ([0], false), ([0, 9], false), ([0, 10], true), ([0, 5, 11, 30], true), ([0, 61], false),
      ([0, 61, 72], true),
    ] as [([Int], Bool)])
  func `a node that is silent for some seconds has stopped`(seconds: [Int], hasStopped: Bool) {
    let operations = Operations()
    let start = ContinuousClock.now
    var last = false
    for second in seconds { last = operations.hasStopped(1, at: start + .seconds(second)) }
    #expect(last == hasStopped)
    #expect(!operations.hasStopped(2, at: start))
  }

  @Test(arguments: [
    PostgresLine.Message.ask(operation: "0123456789abcdef"), .cancel(operation: "a"),
    .change(generation: .max, node: 1), .have(generation: .max, node: 1),
  ])
  func `a message has the text that others read`(message: PostgresLine.Message) {
    #expect(PostgresLine.Message(message.text) == message)
  }
}
#endif
