// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@testable import AppleShims

@Suite struct UIImageTests {
  static let orientations: [(exif: Int, orientation: UIImage.Orientation)] = [
    (1, .up), (2, .upMirrored), (3, .down), (4, .downMirrored), (5, .leftMirrored), (6, .right),
    (7, .rightMirrored), (8, .left),
  ]

  @Test func `orientations have UIKit's numbers, and each maps to one of the package's`() {
    let names: [UIImage.Orientation] = [
      .up, .down, .left, .right, .upMirrored, .downMirrored, .leftMirrored, .rightMirrored,
    ]
    #expect(names.map(\.rawValue) == Array(0...7))
    for (exif, orientation) in Self.orientations {
      #expect(orientation.orientation.exifValue == exif)
      #expect(UIImage.Orientation(orientation.orientation) == orientation)
    }
  }

  @Test(
    .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)), arguments: Self.orientations)
  func `a photo has its orientation, the upright size, and its pixels as stored`(
    _ exif: Int, _ orientation: UIImage.Orientation
  ) throws {
    let path = SharedData.path("exif/recurser/Landscape_\(exif).jpg")
    let upright = try EncodedImage(path: SharedData.path("exif/recurser/Landscape_1.jpg"))
    let photo = try #require(UIImage(contentsOfFile: path))
    #expect(photo.imageOrientation == orientation)
    #expect(photo.size == CGSize(width: upright.size.width, height: upright.size.height))
    #expect(photo.scale == 1)
    let stored = try EncodedImage(path: path).size
    #expect(photo.cgImage?.width == stored.width)
    #expect(photo.cgImage?.height == stored.height)
    #expect(try UIImage.open(path: path).imageOrientation == orientation)
  }

  @Test(
    .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)), arguments: Self.orientations)
  func `JPEG and PNG output is upright`(_ exif: Int, _ orientation: UIImage.Orientation) throws {
    func photo(_ number: Int) throws -> UIImage {
      try UIImage.open(path: SharedData.path("exif/libvips/rotation/\(number).jpg"))
    }
    let turned = try photo(exif)
    #expect(turned.imageOrientation == orientation)
    let expected = try colors(turned.uprightPixels())
    let png = try #require(turned.pngData().flatMap { UIImage(data: $0) })
    #expect(png.imageOrientation == .up)
    #expect(png.size == turned.size)
    #expect(try largestDifference(colors(png.image), expected) == 0)
    let jpeg = try #require(turned.jpegData(compressionQuality: 0.95).flatMap { UIImage(data: $0) })
    #expect(jpeg.imageOrientation == .up)
    let loss = try meanDifference(colors(jpeg.image), expected)
    #expect(loss < 6)
    // All eight show the same scene, four of them at another size.
    #expect(try meanDifference(thumbnail(jpeg), thumbnail(photo(1))) < 8)
  }

  private func thumbnail(_ photo: UIImage) throws -> [UInt8] {
    let context = try #require(CGContextTests.context(24, 32))
    try context.draw(checking: photo.image, in: CGRect(x: 0, y: 0, width: 24, height: 32))
    return CGContextTests.colors(context)
  }

  @Test func `bytes that are not an image give nil, and the addition reports why`() {
    let cases: [(data: Data, code: ImageCode)] = [
      (Data(), .empty), (Data("no image".utf8), .unknownFormat), (Data([0xFF, 0xD8, 0xFF]), .truncated),
    ]
    for (data, code) in cases {
      #expect(UIImage(data: data) == nil)
      #expect(UIImage(data: data, scale: 2) == nil)
      #expect(imageError { () throws(ImageError) in try UIImage.open(data: data) }?.code == code)
    }
    #expect(UIImage(contentsOfFile: "/nowhere/x.jpg") == nil)
    #expect(UIImage(contentsOfFile: "") == nil)
    #expect(UIImage(named: "no such image") == nil)
    let error = imageError { () throws(ImageError) in try UIImage.open(path: "/nowhere/x.jpg") }
    #expect(error?.code == .notFound)
    #expect(imageError { () throws(ImageError) in try UIImage.open(path: "/") }?.code == .isDirectory)
  }

  @Test(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)))
  func `damaged files give nil or fail when their pixels are used; none traps`() throws {
    let root = SharedData.path("badimages")
    let files = try #require(FileManager.default.enumerator(atPath: root))
    var (refused, failed, read) = (0, 0, 0)
    for case let name as String in files where !name.hasSuffix(".tsv") {
      guard let image = UIImage(contentsOfFile: root + "/" + name) else {
        refused += 1
        continue
      }
      #expect(image.size.width > 0 && image.size.height > 0)
      // Decoding is tested with the decoders; small images are enough here.
      guard image.size.width * image.size.height < 4096 else { continue }
      if imageError({ () throws(ImageError) in try image.uprightPixels() }) != nil {
        #expect(image.pngData() == nil)
        #expect(image.jpegData(compressionQuality: 1) == nil)
        #expect(image.image.dataProvider == nil)
        failed += 1
      } else {
        #expect(image.pngData() != nil)
        read += 1
      }
    }
    #expect(refused > 20 && failed > 5 && read > 100, "refused \(refused), failed \(failed), read \(read)")
  }

  @Test(
    arguments: [
      (2.0, 2.0, 2.5), (1.0, 1.0, 5.0), (0.0, 1.0, 5.0), (-3.0, 1.0, 5.0), (.nan, 1.0, 5.0),
      (.infinity, 1.0, 5.0),
    ] as [(CGFloat, CGFloat, CGFloat)])
  func `size is pixels by a positive scale`(_ scale: CGFloat, _ kept: CGFloat, _ width: CGFloat) throws {
    let bitmap = try #require(image(5, 2, [UInt8](repeating: 9, count: 30)))
    let upright = UIImage(cgImage: bitmap, scale: scale, orientation: .up)
    #expect(upright.scale == kept)
    #expect(upright.size.width == width)
    let lying = UIImage(cgImage: bitmap, scale: scale, orientation: .left)
    #expect(lying.size.height == width)
    let data = try #require(upright.pngData())
    #expect(UIImage(data: data, scale: scale)?.size.width == width)
  }

  @Test func `quality ranges from 0 to 1, and other values are clamped`() throws {
    let frame = TestFrame.gradient(PixelSize(width: 64, height: 64))
    let photo = UIImage(cgImage: try #require(image(64, 64, frame.rgb)))
    func bytes(_ quality: CGFloat) -> Data? { photo.jpegData(compressionQuality: quality) }
    let (least, most) = (try #require(bytes(0)), try #require(bytes(1)))
    #expect(least.count < most.count)
    #expect(bytes(-1) == least)
    #expect(bytes(.nan) == least)
    #expect(bytes(7) == most)
    #expect(bytes(.infinity) == most)
    #expect(UIImage(data: most)?.size == CGSize(width: 64, height: 64))
  }
}
