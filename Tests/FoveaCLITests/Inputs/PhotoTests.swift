// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaImage
import FoveaTesting
import Testing

@testable import FoveaCLI

@Suite struct PhotoTests {
  static func cat() throws -> [UInt8] {
    try SmallFile.bytes(of: PackageRoot.path + "/Examples/photos/cat.jpg", limit: 1 << 22)
  }

  @Test(arguments: [false, true]) func `the file is read once, for all callers`(_ isShared: Bool) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.jpg", Self.cat())
    let photo = Photo(.file(path), isShared: isShared)
    let image = try photo.image()
    try folder.write("a.jpg", "no image any more")
    #expect(try photo.image() === image)
    // The model's own thread opens the path again if nothing else needs the file.
    let input = try photo.input()
    #expect(String(describing: input).contains("EncodedImage") == isShared)
  }

  @Test func `a file that cannot be opened fails each time it is requested`() throws {
    let photo = Photo(.bytes([1, 2, 3], name: "standard input"), isShared: true)
    for _ in 0..<2 {
      let error = #expect(throws: FoveaError.self) { try photo.input() }
      #expect(error?.subject == "standard input")
      #expect(error?.code.rawValue.hasPrefix("image-") == true)
    }
  }

  @Test func `a failed photo uses up no thumbnail`() {
    let budget = ThumbnailBudget(count: 1)
    #expect(budget.take())
    #expect(!budget.take())
    budget.giveBack()
    budget.giveBack()
    #expect(budget.take())
    #expect(!budget.take())
  }

  @Test func `annotated photos have their thumbnail in the report`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("in/a.jpg", Self.cat())
    try folder.write("in/bad.jpg", "")
    let outcome = try await PhotoRunTests.run(
      [folder["in"], "--annotate", folder["out"], "--report", folder["page.html"]], in: folder,
      annotator: OverlayAnnotator(keypointThreshold: 0.3))
    #expect(outcome.code == 1)
    #expect(folder.exists("out/a.jpg"))
    #expect(try folder.read("page.html").contains("\"jpeg\": \"/9j/"))
  }
}
