// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTracking
import Testing

@Suite struct NoiseFactorTests {
  static func tracker(size: Double = 1.5, birth: Double = 20) throws -> FoveaTracker {
    var configuration = FoveaTracker.Configuration()
    configuration.sizeNoiseFactor = size
    configuration.birthVelocityFactor = birth
    return try FoveaTracker(configuration: configuration)
  }

  /// The variation of the reported width and centre while the detected ones vary by 8 and 4 pixels.
  static func swing(_ tracker: FoveaTracker) -> (width: Double, centre: Double) {
    var tracker = tracker
    var widths: [Double] = []
    var centres: [Double] = []
    for number in 0..<60 {
      let side = number % 2 == 0 ? 1.0 : -1
      let box = Scene.box(200 + 2 * side, width: 40 + 4 * side)
      let answers = tracker.frame(number, [TrackingDetection(box: box, score: 0.9)])
      guard number >= 40 else { continue }
      widths.append(answers[0].box.width)
      centres.append(answers[0].box.midX)
    }
    return ((widths.max() ?? 0) - (widths.min() ?? 0), (centres.max() ?? 0) - (centres.min() ?? 0))
  }

  @Test("The larger the noise of sizes, the steadier the reported size; the position stays")
  func sizes() throws {
    let swings = try [0.1, 1, 1.5, 3, 10].map { Self.swing(try Self.tracker(size: $0)) }
    #expect(swings[0].width > 7.5)
    for (smaller, larger) in zip(swings, swings.dropFirst()) {
      #expect(larger.width < 0.95 * smaller.width)
      // The width affects the noise of the position slightly.
      #expect(abs(larger.centre - smaller.centre) < 0.1)
    }
  }

  @Test("The less certain a new object's velocity, the more its second detection determines it")
  func births() throws {
    var last = -1.0
    for factor in [0.0, 5, 10, 20, 100, 1000] {
      var tracker = try Self.tracker(birth: factor)
      for number in 0..<2 { _ = tracker.frame(number, [Scene.seen(200 + 12 * Double(number))]) }
      let velocity = try #require(tracker.tracks.first).velocityX
      #expect(velocity > last)
      #expect(velocity <= 12)
      last = velocity
    }
    #expect(last > 11.9)
  }

  struct Limit: Sendable, CustomTestStringConvertible {
    var testDescription: String { "\(size), \(birth)" }
    var size: Double
    var birth: Double
    var isValid: Bool
  }

  static let limits = [
    Limit(size: 0.1, birth: 0, isValid: true), Limit(size: 10, birth: 1000, isValid: true),
    Limit(size: 0.09, birth: 20, isValid: false), Limit(size: 10.1, birth: 20, isValid: false),
    Limit(size: .nan, birth: 20, isValid: false), Limit(size: .infinity, birth: 20, isValid: false),
    Limit(size: 1.5, birth: -1, isValid: false), Limit(size: 1.5, birth: 1000.1, isValid: false),
    Limit(size: 1.5, birth: .nan, isValid: false),
  ]

  @Test("Factors at the ends of their ranges give finite boxes, and others are rejected", arguments: limits)
  func ranges(_ limit: Limit) throws {
    guard limit.isValid else {
      let error = #expect(throws: TrackingError.self) {
        _ = try Self.tracker(size: limit.size, birth: limit.birth)
      }
      #expect(error?.code == .invalidParameter)
      return
    }
    var tracker = try Self.tracker(size: limit.size, birth: limit.birth)
    for number in 0..<100 {
      for answer in tracker.frame(number, Scene.walk(number)) where answer.identity != nil {
        #expect(answer.box.minX.isFinite && answer.box.maxY.isFinite && !answer.box.isEmpty)
      }
    }
    #expect(tracker.tracks.count == 8)
  }

  @Test("The prototype's parameters are the defaults except two")
  func prototype() {
    var configuration = FoveaTracker.Configuration.prototype
    #expect(configuration != FoveaTracker.Configuration())
    configuration.sizeNoiseFactor = 1.5
    configuration.birthVelocityFactor = 20
    #expect(configuration == FoveaTracker.Configuration())
  }
}
