// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Dispatch
import Foundation
import FoveaTesting
import MLKit
import Synchronization
import Testing

/// The queue of completions, in separate processes: a process keeps what it learns about its main queue.
@Suite struct CallbackTests {
  /// Whether the caller runs on the main queue.
  ///
  /// Not `Thread.isMainThread`: `dispatchMain()` lets another thread drain the queue on Linux.
  enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
      let key = DispatchSpecificKey<Bool>()
      DispatchQueue.main.setSpecific(key: key, value: true)
      return key
    }()
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
  }

  /// The observations of several calls' completions.
  final class Record: Sendable {
    private let calls = Mutex<[(number: Int, isMain: Bool)]>([])
    private let isComplete = DispatchSemaphore(value: 0)
    let expected: Int

    init(expected: Int) { self.expected = expected }

    func add(_ number: Int) {
      let count = calls.withLock { calls in
        calls.append((number, MainQueue.isCurrent))
        return calls.count
      }
      if count == expected { isComplete.signal() }
    }

    /// Waits on this thread; returns false after a minute.
    func wait() -> Bool { isComplete.wait(timeout: .now() + 60) == .success }
    var numbers: [Int] { calls.withLock { $0.map(\.number) } }
    var mainCount: Int { calls.withLock { $0.count(where: \.isMain) } }
  }

  /// Makes calls that succeed and calls that fail.
  static func make(_ record: Record) throws {
    let detector = ObjectDetector.objectDetector(options: Options.coarse(.singleImage))
    for number in 0..<record.expected {
      let image = number % 3 == 2 ? VisionImage(data: Data()) : try Photo.image("cat")
      detector.process(image) { objects, error in
        if (objects == nil) != (error == nil) { record.add(number) }
      }
    }
  }

  @Test("A program whose main thread waits gets its callbacks, in order, on another thread")
  func noMainLoop() async {
    await #expect(processExitsWith: .success) {
      let isDone = await MainActor.run {
        let record = Record(expected: 7)
        try? CallbackTests.make(record)
        // The main thread waits, like `semaphore.wait()` in a command-line program.
        return record.wait() && record.numbers == Array(0..<7) && record.mainCount == 0
      }
      exit(isDone ? 0 : 1)
    }
  }

  @Test("A program whose main queue runs gets its callbacks there, in order")
  func mainLoop() async {
    await #expect(processExitsWith: .success) {
      // The main queue runs before the first call ends.
      await MainActor.run {}
      let record = Record(expected: 7)
      try? CallbackTests.make(record)
      let isDone = try await onOwnThread { record.wait() }
      exit(isDone && record.numbers == Array(0..<7) && record.mainCount == 7 ? 0 : 1)
    }
  }

  @Test("A given callback queue is used, whatever the main queue does")
  func ownQueue() async throws {
    let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "callbacks")
    queue.setSpecific(key: key, value: true)
    let labeler = ImageLabeler.imageLabeler(options: ImageLabelerOptions())
    #expect(labeler.callbackQueue == nil)
    labeler.callbackQueue = queue
    let image = try Photo.image("cat")
    let isThere = await withCheckedContinuation { continuation in
      labeler.process(image) { _, _ in
        continuation.resume(returning: DispatchQueue.getSpecific(key: key) == true)
      }
    }
    #expect(isThere)
  }
}
