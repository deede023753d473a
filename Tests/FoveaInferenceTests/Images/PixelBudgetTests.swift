// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import FoveaGeometry
import FoveaHTTP
import FoveaImage
import FoveaTesting
import HTTPTypes
import Synchronization
import Testing

@testable import FoveaInference

@Suite struct PixelBudgetTests {
  private static func image(side: Int, as format: ImageFormat = .png) throws -> ReceivedImage {
    let layout = try PixelLayout(.rgb, size: PixelSize(width: side, height: side))
    let pixels = try PixelBuffer(layout, bytes: [UInt8](repeating: 90, count: layout.byteCount))
    return ReceivedImage(name: "a", bytes: try FrameCanvas().canvas(of: pixels).encoded(as: format))
  }

  /// Two images at a time, each with this many pixels in a row, and whether both fit into 40 MB.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var format = ImageFormat.png
    var sides: (Int, Int)
    var slots = 4
    var isDrawnOn = false
    var fits: Bool
    var testDescription: String { name }
  }

  static let rows = [
    Row(name: "two of 36 MB", sides: (3_000, 3_000), fits: false),
    Row(name: "one of 36 MB and a small one", sides: (3_000, 600), fits: true),
    Row(name: "a small one and one of 36 MB", sides: (600, 3_000), fits: true),
    Row(name: "one of more than all, alone", sides: (3_400, 0), fits: true),
    Row(
      name: "JPEG, which is decoded at a part of its size", format: .jpeg, sides: (3_000, 3_000), fits: true
    ),
    Row(
      name: "JPEG that is drawn on", format: .jpeg, sides: (3_000, 3_000), isDrawnOn: true, fits: false),
  ]

  @Test(arguments: rows)
  func `images without memory next to others are rejected`(row: Row) async throws {
    var limits = ImageLimits()
    limits.maxPixels = 12_000_000
    let budget = PixelBudget(limit: 40_000_000, slots: row.slots, limits: limits)
    let first = try Self.image(side: row.sides.0, as: row.format)
    // Data that is not an image takes no memory: decoding reports it.
    let second =
      row.sides.1 == 0
      ? ReceivedImage(name: "b", bytes: [1, 2, 3]) : try Self.image(side: row.sides.1, as: row.format)
    func both() async throws {
      try await budget.counting(first, isDrawnOn: row.isDrawnOn) {
        try await budget.counting(second, isDrawnOn: row.isDrawnOn) {}
      }
    }
    if row.fits {
      try await both()
    } else {
      let refusal = await #expect(throws: Refusal.self) { try await both() }
      #expect(refusal?.status.code == 503 && refusal?.code == "server-busy")
    }
    // The counted memory is free again.
    try await budget.counting(first, isDrawnOn: true) {}
  }

  @Test func `an annotated image counts at full size in every protocol`() async throws {
    let large = try Self.image(side: 3_000, as: .jpeg).bytes
    let other = try Self.image(side: 1_500)
    let base64 = Data(large).base64EncodedString()
    let json = Array(#"{"data": "\#(base64)", "image": "jpg"}"#.utf8)
    let roboflow = #"{"type": "base64", "value": "\#(base64)"}"#
    let visualized = Array(#"{"image": \#(roboflow), "visualize_predictions": true}"#.utf8)
    let drawn: [(target: String, body: [UInt8])] = [
      ("/v1/detect?annotate=jpeg", large), ("/detect", json), ("/image", json),
      ("/default/1?format=image", large), ("/infer/object_detection", visualized),
    ]
    try await RunningInference.run([.embedded], { $0.imageMemory = 40_000_000 }) { server in
      let isHeld = Mutex(false)
      let held = Task {
        try await server.service.pixels.counting(other, isDrawnOn: true, for: "other") {
          isHeld.withLock { $0 = true }
          try await Task.sleep(for: .seconds(3_600))
        }
      }
      defer { held.cancel() }
      blockUntil { isHeld.withLock { $0 } }
      // For the model it is decoded at a fraction of its size.
      #expect(try server.send("POST", "/v1/detect", large).status == 200)
      #expect(try server.send("POST", "/default/1", large).status == 200)
      for (target, body) in drawn {
        let answer = try server.send("POST", target, body)
        #expect(
          answer.status == 503 && answer.body.contains("Too many large images"),
          "\(target): \(answer.body.prefix(300))")
      }
    }
  }

  @Test func `nothing is counted if all slots together stay below the limit`() async throws {
    var limits = ImageLimits()
    limits.maxPixels = 9_000_000
    let budget = PixelBudget(limit: 72_000_000, slots: 2, limits: limits)
    let large = try Self.image(side: 3_000)
    try await budget.counting(large, isDrawnOn: true) {
      try await budget.counting(large, isDrawnOn: true) {
        try await budget.counting(large, isDrawnOn: true) {}
      }
    }
  }
}
#endif
