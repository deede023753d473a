// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTracking
import Testing

@Suite struct ClassTests {
  @Test("An object has the class of most of its last eight detections")
  func vote() throws {
    var tracker = try Scene.stream()
    let classes = [3, 3, 5, 3, 5, 5, 5, 5, 5]
    let votes = [3, 3, 3, 3, 3, 3, 5, 5, 5]
    for (number, classIndex) in classes.enumerated() {
      let answers = tracker.frame(number, [Scene.seen(200, classIndex: classIndex)])
      #expect(answers[0].identity == 0)
      #expect(answers[0].classIndex == votes[number])
    }
  }

  @Test("By class, detections of another class are another object, also at the same position")
  func perClass() throws {
    var configuration = FoveaTracker.Configuration.stream()
    configuration.perClass = true
    var tracker = try FoveaTracker(configuration: configuration)
    for number in 0..<10 {
      let answers = tracker.frame(
        number, [Scene.seen(200, score: 0.9, classIndex: 1), Scene.seen(200, score: 0.8, classIndex: 2)])
      #expect(answers.map(\.identity) == [0, 1])
      #expect(answers.map(\.classIndex) == [1, 2])
    }
  }

  @Test("Without classes an object has none")
  func none() throws {
    var tracker = try Scene.stream()
    for number in 0..<3 { #expect(tracker.frame(number, [Scene.seen(200)])[0].classIndex == nil) }
  }
}
