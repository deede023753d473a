// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite struct ImageErrorTests {
  struct BytesCase: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let code: ImageError.Code
    let text: String

    init(_ description: String, _ bytes: [UInt8], _ code: ImageError.Code, _ text: String) {
      testDescription = description
      self.bytes = bytes
      self.code = code
      self.text = text
    }

    static func ascii(_ text: String) -> [UInt8] { [UInt8](text.utf8) }
    static let convert = ", which Fovea cannot read yet. Convert it to JPEG, PNG or WebP."
    static let notPicture = ", not a picture. Give a JPEG, PNG or WebP picture."
    static let all: [BytesCase] = [
      BytesCase("nothing", [], .empty, "x: the file is empty (0 bytes). Copy or download the picture again."),
      BytesCase("text", ascii("hello, wörld\n"), .unknownFormat, "x: the file is text\(notPicture)"),
      BytesCase(
        "one byte of noise", [0], .unknownFormat,
        "x: the file is no JPEG, PNG or WebP picture. Give a JPEG, PNG or WebP picture."),
      BytesCase(
        "GIF", ascii("GIF89a") + [1, 0, 1, 0], .unknownFormat, "x: the file is a GIF image\(convert)"),
      BytesCase(
        "BMP", ascii("BM") + [UInt8](repeating: 0, count: 12) + [40, 0, 0, 0], .unknownFormat,
        "x: the file is a BMP image\(convert)"),
      BytesCase(
        "TIFF", [0x49, 0x49, 42, 0, 8, 0, 0, 0], .unknownFormat, "x: the file is a TIFF image\(convert)"),
      BytesCase(
        "big-endian TIFF", [0x4d, 0x4d, 0, 42, 0, 0, 0, 8], .unknownFormat,
        "x: the file is a TIFF image\(convert)"),
      BytesCase(
        "HEIC", [0, 0, 0, 24] + ascii("ftypheic"), .unknownFormat, "x: the file is a HEIC image\(convert)"),
      BytesCase(
        "AVIF", [0, 0, 0, 24] + ascii("ftypavif"), .unknownFormat, "x: the file is an AVIF image\(convert)"),
      BytesCase(
        "MP4", [0, 0, 0, 24] + ascii("ftypisom"), .unknownFormat,
        "x: the file is a video (MP4 or QuickTime)\(notPicture)"),
      BytesCase("PDF", ascii("%PDF-1.7\n"), .unknownFormat, "x: the file is a PDF document\(notPicture)"),
      BytesCase(
        "TFLite", [28, 0, 0, 0] + ascii("TFL3") + [0, 1, 2], .unknownFormat,
        "x: the file is a TFLite model\(notPicture)"),
      BytesCase("ZIP", ascii("PK\u{3}\u{4}"), .unknownFormat, "x: the file is a ZIP archive\(notPicture)"),
    ]
  }

  @Test(arguments: BytesCase.all)
  func `bytes that are no picture are refused by what they are`(_ row: BytesCase) {
    let error = imageError { () throws(ImageError) in try EncodedImage(bytes: row.bytes, name: "x") }
    #expect(error?.code == row.code)
    #expect(error?.description == row.text)
  }

  private static func temporaryPath(_ name: String) -> String {
    FileManager.default.temporaryDirectory.path + "/fovea-\(name)-\(getpid()).jpg"
  }

  @Test func `a missing file is an error with the name as given`() {
    let error = imageError { () throws(ImageError) in try EncodedImage(path: "no/such.jpg") }
    #expect(error?.code == .notFound)
    #expect(error?.description == "no/such.jpg: there is no such file. Check the path.")
  }

  @Test func `a folder is an error`() {
    let error = imageError { () throws(ImageError) in try EncodedImage(path: PackageRoot.path) }
    #expect(error?.code == .isDirectory)
    #expect(error?.remedy == "Give a file inside it")
  }

  @Test func `a device is an error and does not hang`() {
    #expect(imageError { () throws(ImageError) in try EncodedImage(path: "/dev/null") }?.code == .unreadable)
  }

  @Test func `a file without the right to read is an error`() async {
    // In a process of its own, which gives up root's right to read everything.
    await #expect(processExitsWith: .success) {
      let path = Self.temporaryPath("unreadable")
      let descriptor = unsafe open(path, O_CREAT | O_WRONLY, 0)
      close(descriptor)
      defer { unsafe unlink(path) }
      if geteuid() == 0 { try #require(seteuid(65534) == 0) }
      defer { _ = seteuid(getuid()) }
      #expect(imageError { () throws(ImageError) in try EncodedImage(path: path) }?.code == .unreadable)
    }
  }

  @Test func `a file on disk is read, and one over the byte limit is not`() throws {
    let bytes = try TestPicture.quarters(PixelSize(width: 64, height: 40)).encoded(as: .png)
    let path = Self.temporaryPath("file")
    let descriptor = unsafe open(path, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
    let written = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    defer { unsafe unlink(path) }
    #expect(written == bytes.count)
    let image = try EncodedImage(path: path)
    #expect(image.format == .png)
    #expect(image.byteCount == bytes.count)
    var limits = ImageLimits()
    limits.maxFileBytes = bytes.count - 1
    let error = imageError { () throws(ImageError) in try EncodedImage(path: path, limits: limits) }
    #expect(error?.code == .tooLarge)
    #expect(error?.message == "the file has \(bytes.count) bytes, \(bytes.count - 1) are allowed")
  }
}
