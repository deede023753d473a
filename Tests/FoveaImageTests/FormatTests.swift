// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@Suite struct FormatTests {
  @Test(arguments: Fixture.all + Fixture.formats)
  func `each kind of pixel becomes red, green and blue over white`(_ fixture: Fixture) throws {
    let image = try EncodedImage(bytes: fixture.bytes, name: "fixture")
    #expect(image.size == PixelSize(width: 32, height: 24))
    let tensor = try image.decode().pixels(PixelSize(width: 4, height: 4))
    let canvas = try image.canvas()
    for (index, color) in fixture.expected.enumerated() {
      let x = index % 2 * 3
      let y = index / 2 * 3
      #expect(tensor[x, y].distance(to: color) <= 3, "tensor \(index): \(tensor[x, y]) for \(color)")
      let pixel = TestImage.pixel(canvas, x * 8 + 2, y * 6 + 2)
      #expect(pixel.distance(to: color) <= 3, "canvas \(index): \(pixel) for \(color)")
    }
  }

  /// PngSuite: files whose names start with x are damaged on purpose.
  @Test(.enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"))
  func `PngSuite decodes, its damaged files do not`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: SharedData.path("badimages/pngsuite"))
      .filter { $0.hasSuffix(".png") }
    #expect(names.count > 150)
    for name in names.sorted() {
      let error = imageError { () throws(ImageError) in
        let image = try EncodedImage(path: SharedData.path("badimages/pngsuite/\(name)"))
        _ = try image.decode().pixels(PixelSize(width: 20, height: 20))
      }
      if name.hasPrefix("x") {
        #expect(error != nil, "\(name)")
      } else {
        #expect(error == nil, "\(name): \(String(describing: error))")
      }
    }
  }

  /// An interlaced PngSuite image and its plain twin have the same pixels.
  @Test(
    .enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"),
    arguments: [
      "0g01", "0g02", "0g04", "0g08", "0g16", "2c08", "2c16", "3p01", "3p08", "4a08", "4a16", "6a08", "6a16",
    ])
  func `interlacing changes no pixel`(_ kind: String) throws {
    let pixels = try ["basn", "basi"].map { prefix in
      try EncodedImage(path: SharedData.path("badimages/pngsuite/\(prefix)\(kind).png")).decode()
        .pixels(PixelSize(width: 32, height: 32))
    }
    #expect(pixels[0].difference(to: pixels[1]) == 0)
  }

  @Test(.enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"))
  func `every bad image decodes or throws, at full and at reduced size`() throws {
    let root = SharedData.path("badimages")
    let decoder = ImageDecoder()
    let scratch = TensorScratch()
    let spec = ImageTensorSpec(size: PixelSize(width: 32, height: 32))
    var counts: [String: Int] = [:]
    for file in try FileManager.default.subpathsOfDirectory(atPath: root).sorted() {
      for target in [DecodeTarget.full, .atLeast(spec.size)] {
        let error = imageError { () throws(ImageError) in
          let image = try EncodedImage(path: root + "/" + file)
          _ = try decoder.decode(image, scaledFor: target).tensor(spec, scratch: scratch)
        }
        counts[error?.code.rawValue ?? "ok", default: 0] += 1
        if let error {
          #expect(error.subject == root + "/" + file)
          #expect(!error.message.isEmpty && !error.message.hasSuffix("."))
          #expect(!error.remedy.description.isEmpty && !error.remedy.description.hasSuffix("."))
        }
      }
    }
    // Each file has one of these outcomes.
    #expect(
      Set(counts.keys).isSubset(of: [
        "ok", "unknown-format", "corrupt", "truncated", "unsupported", "is-directory", "empty", "too-large",
      ]))
    #expect(counts["ok", default: 0] > 500)
  }
}
