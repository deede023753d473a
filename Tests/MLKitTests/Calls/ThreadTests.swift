// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Foundation
import FoveaCompatibility
import FoveaTesting
import MLKit
import Testing

/// Calls from many tasks and threads, and from the main thread.
@Suite(.onOwnThread) struct ThreadTests {
  private static func options() -> ImageLabelerOptions {
    let options = ImageLabelerOptions()
    options.confidenceThreshold = 0
    return options
  }

  @Test("64 tasks that block for results at once all get them, next to as many that call back or await")
  func manyTasks() async throws {
    let labeler = ImageLabeler.imageLabeler(options: Self.options())
    let expected = try labeler.results(in: Photo.image("coffee")).map(\.confidence)
    let answers = try await withThrowingTaskGroup(of: [Float].self) { group in
      for number in 0..<64 {
        group.addTask {
          let photo = try Photo.image("coffee")
          switch number % 4 {
          case 0: return try await labeler.process(photo).map(\.confidence)
          case 1:
            return try await withCheckedThrowingContinuation { continuation in
              labeler.process(photo) { labels, error in
                continuation.resume(
                  with: error.map { .failure($0) } ?? .success((labels ?? []).map(\.confidence)))
              }
            }
          default: return try labeler.results(in: photo).map(\.confidence)
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.count == 64)
    #expect(answers.allSatisfy { $0 == expected })
  }

  @Test("results(in:) works on the main queue")
  @MainActor func mainThread() throws {
    #expect(CallbackTests.MainQueue.isCurrent)
    let detector = ObjectDetector.objectDetector(options: Options.coarse(.singleImage))
    #expect(try detector.results(in: Photo.image("cat")).count == 1)
  }

  @Test("While one main-actor task awaits results, another may block for its own on the main thread")
  @MainActor func mainActorTasks() async throws {
    let detector = ObjectDetector.objectDetector(options: Options.coarse(.singleImage))
    async let awaited = Self.count(detector)
    for _ in 0..<8 {
      #expect(try detector.results(in: Photo.image("cat")).count == 1)
      await Task.yield()
    }
    #expect(try await awaited == 1)
  }

  @MainActor private static func count(_ detector: ObjectDetector) async throws -> Int {
    try await detector.process(Photo.image("cat")).count
  }

  @Test("A cancelled task gets an error for it")
  func cancelled() async throws {
    let detector = ObjectDetector.objectDetector(options: Options.coarse(.singleImage))
    let task = Task {
      // Requested only once the task is cancelled.
      while !Task.isCancelled { await Task.yield() }
      return try await detector.process(Photo.image("cat")).count
    }
    task.cancel()
    let error = await #expect(throws: MLKitError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }
}
