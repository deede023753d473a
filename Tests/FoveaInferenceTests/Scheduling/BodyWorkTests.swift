// SPDX-License-Identifier: Apache-2.0
#if Server
import Dispatch
import Foundation
import FoveaHTTP
import FoveaTesting
import HTTPTypes
import Hummingbird
import Logging
import Testing

@testable import FoveaInference

@Suite struct BodyWorkTests {
  private static let long = 1 << 20

  private static func context(_ client: String) -> HTTPContext {
    HTTPContext(address: client, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  private static func work(slots: Int, within limit: Duration = .seconds(3_600)) -> BodyWork {
    BodyWork(scheduler: Scheduler(slots: slots), deadline: limit)
  }

  /// More bodies than the machine has threads for tasks, each of which waits for a task.
  @Test func `long bodies leave the threads of other tasks free`() async throws {
    let count = 2 * ProcessInfo.processInfo.activeProcessorCount + 2
    let work = BodyWorkTests.work(slots: count)
    let gate = DispatchSemaphore(value: 0)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for body in 0..<count {
        group.addTask {
          try await work.run(on: BodyWorkTests.long, for: BodyWorkTests.context("10.0.0.\(body)")) {
            gate.wait(timeout: .now() + 60) == .success
          }
        }
      }
      try await waitUntil("all begin") { work.scheduler.counts.running == count }
      for _ in 0..<count { gate.signal() }
      for try await isFree in group { #expect(isFree) }
    }
  }

  @Test func `a client's long bodies take turns with the slots, and another client's is not refused`()
    async throws
  {
    let work = BodyWorkTests.work(slots: 2)
    let held = work.scheduler.holdSlots(for: BodyWorkTests.context("10.0.0.1").client)
    defer { for call in held { call.cancel() } }
    let short = try await work.run(on: 16 << 10, for: BodyWorkTests.context("10.0.0.1")) { "short" }
    #expect(short == "short")
    // After 10 ms a client without a slot gets that of the client whose work is slow.
    let other = try await work.run(on: BodyWorkTests.long, for: BodyWorkTests.context("10.0.1.1")) { "other" }
    #expect(other == "other")
  }

  @Test func `a body that is not read within the deadline is refused`() async throws {
    let work = BodyWorkTests.work(slots: 1, within: .milliseconds(1))
    let gate = DispatchSemaphore(value: 0)
    defer { gate.signal() }
    let refusal = await #expect(throws: Refusal.self) {
      try await work.run(on: BodyWorkTests.long, for: BodyWorkTests.context("10.0.0.1")) {
        _ = gate.wait(timeout: .now() + 60)
      }
    }
    #expect(refusal?.code == "deadline-exceeded")
  }

  @Test func `the error of the work is thrown`() async throws {
    let refusal = Refusal(.badRequest, "request-malformed", "The body is wrong", remedy: "Mend it")
    for count in [0, BodyWorkTests.long] {
      let found = await #expect(throws: Refusal.self) {
        try await BodyWorkTests.work(slots: 1).run(on: count, for: BodyWorkTests.context("10.0.0.1")) {
          throw refusal
        }
      }
      #expect(found?.message == refusal.message)
    }
  }

  struct Sent: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var type = "application/octet-stream"
    var coding: String?
    let start: [UInt8]
    var count = BodyWorkTests.long
    let isRead: Bool

    var body: [UInt8] { start + [UInt8](repeating: UInt8(ascii: " "), count: max(0, count - start.count)) }
  }

  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF]
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  static let sent = [
    Sent(testDescription: "a JPEG", start: jpeg, isRead: false),
    Sent(
      testDescription: "a JPEG as a client's default type", type: "text/plain", start: jpeg, isRead: false),
    Sent(testDescription: "short JSON", start: Array("{".utf8), count: 1_000, isRead: false),
    Sent(testDescription: "long JSON", start: Array("{".utf8), isRead: true),
    Sent(
      testDescription: "JSON after a byte order mark", type: "application/json", start: mark, isRead: true),
    Sent(testDescription: "JSON that begins as a JPEG", type: "application/JSON", start: jpeg, isRead: true),
    Sent(
      testDescription: "a form after a JPEG", type: "multipart/form-data; boundary=x", start: jpeg,
      isRead: true),
    Sent(
      testDescription: "a few compressed bytes", coding: "gzip", start: [0x1F, 0x8B], count: 10, isRead: true),
    Sent(testDescription: "a compressed JPEG", coding: "deflate", start: jpeg, count: 10, isRead: true),
  ]

  @Test(arguments: sent)
  func `a body that takes time to read waits for its slot, an image does not`(_ sent: Sent) async throws {
    let work = BodyWorkTests.work(slots: 1, within: .milliseconds(1))
    let held = work.scheduler.holdSlots(for: BodyWorkTests.context("10.0.0.1").client)
    defer { for call in held { call.cancel() } }
    let reader = ImageReader(
      bodyLimit: 8 << 20, memory: MemoryBudget(limit: 64 << 20, portion: 64 << 20, problem: "full"),
      maximumImages: 64, work: work)
    var head = HTTPRequest(method: .post, scheme: "http", authority: "test", path: "/v1/detect")
    head.headerFields[.contentType] = sent.type
    head.headerFields[.contentEncoding] = sent.coding
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: sent.body)))
    var code = "read"
    do {
      _ = try await reader.withImages(request, BodyWorkTests.context("10.0.0.1")) { $0.images.count }
    } catch let refusal as Refusal { code = refusal.code }
    #expect((code == "deadline-exceeded") == sent.isRead, "\(code)")
  }
}
#endif
