// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaTesting
import Testing

/// The caller's orientation replaces that of the image.
struct GivenOrientationTests {
  static let path = PackageRoot.path + "/Examples/photos/coffee.jpg"

  @Test(arguments: Orientation.allCases)
  func `files, opened images and pixels are rotated as requested`(
    _ orientation: Orientation
  ) async throws {
    let labeler = try await ImageLabeler()
    let opened = try EncodedImage(path: Self.path)
    let file = try await labeler.analyze(.file(Self.path).oriented(orientation))
    #expect(file.orientation == orientation)
    #expect(file.size == opened.size)
    #expect(try await labeler.analyze(.encoded(opened.oriented(orientation))).labels == file.labels)
    #expect(try await labeler.analyze(.encoded(opened).oriented(orientation)).labels == file.labels)

    var pixels = try TestFrame(try opened.canvas()).buffer(FrameFormat.all[2])
    pixels.orientation = orientation
    let told = try await labeler.analyze(.pixels(pixels))
    pixels.orientation = orientation == .up ? .down : .up
    let turned = try await labeler.analyze(.pixels(pixels).oriented(orientation))
    #expect(turned.orientation == orientation)
    #expect(turned.labels == told.labels)
  }

  @Test func `the last orientation counts, and without one the file's own`() async throws {
    let labeler = try await ImageLabeler()
    let input = ImageInput.file(Self.path)
    #expect(try await labeler.analyze(input.oriented(.left).oriented(.down)).orientation == .down)
    #expect(try await labeler.analyze(input).orientation == .up)
  }

  @Test func `a prepared image keeps its rotation`() async throws {
    let labeler = try await ImageLabeler()
    let prepared = try await labeler.prepare(ImageInput.file(Self.path).oriented(.right))
    #expect(try await labeler.analyze(.prepared(prepared).oriented(.up)).orientation == .right)
  }
}
