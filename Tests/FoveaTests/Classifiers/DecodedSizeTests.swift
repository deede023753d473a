// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaTesting
import Testing

/// The decoded size of a JPEG for a model that samples two pixels.
@Suite struct DecodedSizeTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var size: PixelSize
    var decoded: PixelSize
    var testDescription: String { "\(size)" }
  }

  /// At least 350 pixels remain on the shorter side, for an input of 32.
  static let rows = [
    Row(size: PixelSize(width: 500, height: 375), decoded: PixelSize(width: 500, height: 375)),
    Row(size: PixelSize(width: 640, height: 480), decoded: PixelSize(width: 640, height: 480)),
    Row(size: PixelSize(width: 700, height: 700), decoded: PixelSize(width: 350, height: 350)),
    Row(size: PixelSize(width: 698, height: 698), decoded: PixelSize(width: 698, height: 698)),
    Row(size: PixelSize(width: 1600, height: 1200), decoded: PixelSize(width: 800, height: 600)),
    Row(size: PixelSize(width: 2000, height: 1500), decoded: PixelSize(width: 500, height: 375)),
    Row(size: PixelSize(width: 1500, height: 2000), decoded: PixelSize(width: 375, height: 500)),
  ]

  @Test(arguments: rows) func `two taps see a photo as large as in training`(_ row: Row) async throws {
    let jpeg = try PixelCanvas(size: row.size).encoded(as: .jpeg, quality: 80)
    var options = ImageLabeler.Options()
    options.scoreActivation = .softmax
    let labeler = try await ImageLabeler(model: KnownAnswerTests.model("logits"), options: options)
    let prepared = try await labeler.prepare(.data(jpeg, name: "photo.jpg"))
    #expect(prepared.decodedSize == row.decoded)
    options.reducedSizeDecoding = false
    let full = try await ImageLabeler(model: KnownAnswerTests.model("logits"), options: options)
    #expect(try await full.prepare(.data(jpeg, name: "photo.jpg")).decodedSize == row.size)
  }

  @Test func `the embedded classifier, trained on antialiased images, decodes what its input needs`()
    async throws
  {
    let jpeg = try PixelCanvas(size: PixelSize(width: 640, height: 480)).encoded(as: .jpeg, quality: 80)
    let prepared = try await ImageLabeler().prepare(.data(jpeg, name: "photo.jpg"))
    #expect(prepared.decodedSize == PixelSize(width: 320, height: 240))
  }
}
