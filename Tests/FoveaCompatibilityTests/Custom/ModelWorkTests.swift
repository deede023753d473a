// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaTesting
import Synchronization
import Testing

@testable import FoveaCompatibility

/// The number of times LiteRT opens and compiles a caller's model until it can be used.
@Suite struct ModelWorkTests {
  enum Use: Sendable, CaseIterable {
    case stream, singleImage, unlabeled, exact, normalized, labeler

    func make(_ path: String) async throws(MLError) {
      guard self != .labeler else {
        _ = try await LabelingEngine(.custom(.local(path: path)))
        return
      }
      var request = DetectionRequest.custom(.local(path: path))
      request.mode = self == .stream ? .stream : .singleImage
      request.isClassifying = self != .unlabeled
      request.isExact = self == .exact
      if self == .normalized { request.normalization = PixelNormalization(mean: 0, standardDeviation: 255) }
      _ = try await DetectionEngine(request)
    }
  }

  private static func work(_ name: String, _ use: Use) async throws -> [RuntimeWork] {
    let path = PackageRoot.path + "/Tests/Fixtures/models/\(name).tflite"
    let seen = Mutex<[RuntimeWork]>([])
    try await RuntimeWork.$observer.withValue({ work in seen.withLock { $0.append(work) } }) {
      try await use.make(path)
    }
    return seen.withLock { $0 }.filter { $0 == .open(path) || $0 == .compile(path) }
      .map { $0 == .open(path) ? .open(name) : .compile(name) }
  }

  @Test(arguments: ["classifier_uint8", "colors_calibrated"], Use.allCases)
  func `a classifier is opened once and compiled once`(_ name: String, _ use: Use) async throws {
    #expect(try await Self.work(name, use) == [.open(name), .compile(name)])
  }

  @Test(arguments: ["yolov8", "yolov8_int8", "yolov5_uint8", "ssd_postprocess", "lstm_ssd"], Use.allCases)
  func `a detector is opened once and compiled once`(_ name: String, _ use: Use) async throws {
    guard use != .labeler else { return }
    #expect(try await Self.work(name, use) == [.open(name), .compile(name)])
  }
}
