// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaTesting
import Testing

/// One detector, used by many tasks, some of which give up.
@Suite struct ConcurrencyTests {
  @Test(.timeLimit(.minutes(15)), arguments: [1, 3])
  func `many callers get right results while others are cancelled`(_ sessions: Int) async throws {
    var options = ObjectDetector.Options()
    options.sessions = sessions
    let detector = try await ObjectDetector(options: options)
    let photos = ["coffee.jpg", "cat.jpg", "astronaut.jpg"].map {
      ImageInput.file(PackageRoot.path + "/Examples/photos/" + $0)
    }
    var expected: [[DetectedObject]] = []
    for photo in photos { expected.append(try await detector.detect(in: photo)) }

    var state: UInt64 = 7
    var tasks: [(photo: Int, isCancelled: Bool, task: Task<[DetectedObject], any Error>)] = []
    for number in 0..<120 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let photo = photos[number % 3]
      tasks.append(
        (number % 3, (state >> 33) % 3 == 0, Task { try await detector.detect(in: photo) }))
      // Some are cancelled at once, some while they wait, some while they run.
      if (state >> 40) % 4 == 0, let old = tasks.dropLast(3).last, old.isCancelled { old.task.cancel() }
    }
    for entry in tasks where entry.isCancelled {
      entry.task.cancel()
      await Task.yield()
    }
    for entry in tasks {
      switch await entry.task.result {
      case .success(let objects):
        #expect(objects.map(\.box) == expected[entry.photo].map(\.box))
        #expect(objects.map(\.score) == expected[entry.photo].map(\.score))
      case .failure(let error):
        #expect(entry.isCancelled)
        #expect((error as? FoveaError)?.code == .cancelled)
      }
    }
    // The sessions of cancelled runs are as good as new.
    for (photo, objects) in zip(photos, expected) {
      #expect(try await detector.detect(in: photo).map(\.score) == objects.map(\.score))
    }
  }
}
