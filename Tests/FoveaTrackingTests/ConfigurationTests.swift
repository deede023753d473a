// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTracking
import Testing

@Suite struct ConfigurationTests {
  struct TextCase: Sendable, CustomTestStringConvertible {
    var testDescription: String { json }
    var json: String
    var code: TrackingCode
    var message: String
  }

  static let failures = [
    TextCase(
      json: "{\"buffer\": 3}", code: .invalidParameter,
      message: "the tracker's 'buffer' is 3.0; expected 0.0 to 2.0"),
    TextCase(
      json: "{\"minHits\": 0}", code: .invalidParameter,
      message: "the tracker's 'minHits' is 0; expected 1 to 1000"),
    TextCase(
      json: "{\"minHits\": 2.5}", code: .invalidParameter,
      message: "the tracker's 'minHits' is 2.5; expected a whole number from 1 to 1000"),
    TextCase(
      json: "{\"highScore\": 0.05}", code: .invalidParameter,
      message: "the tracker's 'highScore' is 0.05; expected 0.1 to 1.0"),
    TextCase(
      json: "{\"perClass\": 1}", code: .invalidConfiguration,
      message: "the tracker's 'perClass' is 1.0; it must be true or false"),
    TextCase(
      json: "{\"maxAge\": \"2\"}", code: .invalidConfiguration,
      message: "the tracker's 'maxAge' is a string; it must be a number"),
    TextCase(
      json: "{\"maxAge\": [2]}", code: .invalidConfiguration,
      message: "the tracker's 'maxAge' is an array; it must be a number"),
    TextCase(
      json: "{\"buffer\": 1e400}", code: .invalidParameter,
      message: "the tracker's 'buffer' is 1e400; expected 0.0 to 2.0"),
    TextCase(
      json: "{\"minHits\": -1e400}", code: .invalidParameter,
      message: "the tracker's 'minHits' is -1e400; expected 1 to 1000"),
    TextCase(
      json: "{\"perClass\": 1e400}", code: .invalidConfiguration,
      message: "the tracker's 'perClass' is 1e400; it must be true or false"),
    TextCase(
      json: "{\"maxage\": 2}", code: .unknownParameter, message: "the tracker has no parameter 'maxage'"),
    TextCase(
      json: "{\"maxAge\": 2, \"minHits\": 1, \"maxAge\": 2}", code: .invalidConfiguration,
      message: "the tracker's 'maxAge' appears twice"),
    TextCase(
      json: "{\"objectLimit\": null, \"objectLimit\": 4}", code: .invalidConfiguration,
      message: "the tracker's 'objectLimit' appears twice"),
    TextCase(
      json: "{\"age\": 2, \"age\": 2}", code: .unknownParameter, message: "the tracker has no parameter 'age'"
    ),
    TextCase(
      json: "[1]", code: .invalidConfiguration, message: "the tracker's configuration is not a JSON object"),
    TextCase(
      json: "", code: .invalidConfiguration, message: "the tracker's configuration is not a JSON object"),
  ]

  @Test("A wrong parameter is named with its value and its range", arguments: failures)
  func wrongParameter(_ text: TextCase) {
    let error = #expect(throws: TrackingError.self) {
      try TrackerKind.fovea.makeTracker(json: Array(text.json.utf8))
    }
    #expect(error?.code == text.code)
    #expect(error?.message == text.message)
  }

  @Test(arguments: TrackerKind.allCases)
  func `the example object in an error is one that the tracker reads`(_ kind: TrackerKind)
    throws
  {
    let error = try #require(throws: TrackingError.self) { try kind.makeTracker(json: []) }
    let example = try #require(error.remedy.description.firstMatch(of: /\{.+\}/)).output
    #expect(throws: Never.self) { try kind.makeTracker(json: Array(example.utf8)) }
  }

  @Test("A parameter that a file does not name keeps its value")
  func partial() throws {
    var configuration = FoveaTracker.Configuration.stream()
    try configuration.read(json: Array("{\"maxAge\": 2, \"objectLimit\": null, \"perClass\": true}".utf8))
    var expected = FoveaTracker.Configuration.stream()
    expected.maxAge = 2
    expected.objectLimit = nil
    expected.perClass = true
    #expect(configuration == expected)
  }

  @Test("Each kind of tracker accepts its own parameters", arguments: TrackerKind.allCases)
  func kinds(_ kind: TrackerKind) throws {
    _ = try kind.makeTracker(json: Array("{\"firstIdentity\": 5, \"detectionLimit\": 10}".utf8))
    #expect(throws: TrackingError.self) { try kind.makeTracker(json: Array("{\"speed\": 5}".utf8)) }
    #expect(throws: TrackingError.self) { try kind.makeTracker(frameRate: .nan) }
  }

  @Test func `a choice keeps its kind and its parameters`() throws {
    for kind in TrackerKind.allCases {
      var choice = Tracker(kind)
      #expect(choice.kind == kind)
      try choice.read(json: Array("{\"firstIdentity\": 5, \"detectionLimit\": 10}".utf8))
      #expect(choice.kind == kind && choice != Tracker(kind) && choice.detectionLimit == 10)
      var tracker = try choice.makeTracker(frameRate: 25)
      for number in 1...4 {
        let box = BoundingBox(x: 10, y: 10, width: 50, height: 50)
        let answers = tracker.update(
          [TrackingDetection(box: box, score: 0.9)], at: FrameTime(number: number))
        if number == 4 { #expect(answers.map(\.identity) == [5], "\(kind)") }
      }
      let before = choice
      #expect(throws: TrackingError.self) { try choice.read(json: Array("{\"speed\": 5}".utf8)) }
      #expect(choice == before)
      #expect(throws: TrackingError.self) { try choice.makeTracker(frameRate: .nan) }
    }
  }

  @Test func `ByteTrack keeps objects for a second, unless its parameters differ`() throws {
    var patient = ByteTrack.Configuration()
    #expect(try ByteTrack(configuration: patient).configuration.maxAge == nil)
    func maxAge(_ choice: Tracker, _ rate: Double?) throws -> Int? {
      try (choice.makeTracker(frameRate: rate) as? ByteTrack)?.configuration.maxAge
    }
    #expect(try maxAge(.byteTrack(patient), 24.5) == 24)
    #expect(try maxAge(.byteTrack(patient), nil) == nil)
    patient.maxAge = 90
    #expect(try maxAge(.byteTrack(patient), 25) == 90)
    let asked = try TrackerKind.bytetrack.makeTracker(frameRate: 25, json: Array("{\"maxAge\": 7}".utf8))
    #expect((asked as? ByteTrack)?.configuration.maxAge == 7)
  }

  @Test("Each number of the configuration that is not finite is rejected")
  func notFinite() {
    for change in [\FoveaTracker.Configuration.lowScore, \.maxAge, \.frameRate, \.buffer, \.velocityNoise] {
      var configuration = FoveaTracker.Configuration()
      configuration[keyPath: change] = .nan
      #expect(throws: TrackingError.self) { try FoveaTracker(configuration: configuration) }
    }
  }

  /// Foundation's decoder of Swift 6.3 ends the process at the 513th bracket if that is the last byte.
  @Test func `a configuration that nests too deep is an error`() {
    for depth in 510...516 {
      let error = #expect(throws: TrackingError.self) {
        var configuration = FoveaTracker.Configuration()
        try configuration.read(json: [UInt8](repeating: UInt8(ascii: "["), count: depth))
      }
      #expect(error?.code == .invalidConfiguration)
    }
  }
}
