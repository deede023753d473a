// SPDX-License-Identifier: Apache-2.0

/// One measured operation.
struct Benchmark {
  /// The stage, with its variant if there are several: "tensor decode ssd-anchors".
  var stage: String
  /// The number of input boxes; nil if it has no influence.
  var boxes: Int?
  /// The work of one iteration.
  var body: Body

  enum Body {
    case plain(() throws -> Void)
    case concurrent(() async throws -> Void)
  }

  /// The name of the stored thresholds.
  var name: String { boxes.map { "\(stage) × \($0)" } ?? stage }

  init(_ stage: String, boxes: Int? = nil, _ body: @escaping () throws -> Void) {
    self.stage = stage
    self.boxes = boxes
    self.body = .plain(body)
  }

  init(_ stage: String, boxes: Int? = nil, concurrent body: @escaping () async throws -> Void) {
    self.stage = stage
    self.boxes = boxes
    self.body = .concurrent(body)
  }

  /// Runs one iteration.
  func iterate() async throws {
    switch body {
    case .plain(let work): try work()
    case .concurrent(let work): try await work()
    }
  }

  /// The numbers of boxes to measure stages with.
  static let boxCounts = [1, 10, 100, 1_000]
}
