// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaCore
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@Suite struct ImageErrorTests {
  struct BytesCase: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let code: ImageCode
    let text: String

    init(_ description: String, _ bytes: [UInt8], _ code: ImageCode, _ text: String) {
      testDescription = description
      self.bytes = bytes
      self.code = code
      self.text = text
    }

    static func ascii(_ text: String) -> [UInt8] { [UInt8](text.utf8) }
    static let readable = "JPEG, PNG, WebP, HEIC, AVIF, GIF, BMP or TIFF"
    static func image(_ what: String, _ command: String) -> String {
      "x: the file is \(what), which Fovea does not read. Convert it: \(command)."
    }
    static let give = ", not an image. Give a \(readable) image."
    static let unpack = ", not an image. Unpack it first: "
    static let video = ", not an image. Extract an image: ffmpeg -i FILE -frames:v 1 out.jpg."
    static let all: [BytesCase] = [
      BytesCase("nothing", [], .empty, "x: the file is empty (0 bytes). Copy or download the image again."),
      BytesCase("text", ascii("hello, wörld\n"), .unknownFormat, "x: the file is text\(give)"),
      BytesCase(
        "one byte of noise", [0], .unknownFormat,
        "x: the file is not a \(readable) image. Give an image in one of these formats."),
      BytesCase(
        "MP4", [0, 0, 0, 24] + ascii("ftypisom"), .unknownFormat,
        "x: the file is a video (MP4 or QuickTime)\(video)"),
      BytesCase(
        "MP4 that lists HEIC", [0, 0, 0, 24] + ascii("ftypisom") + [0, 0, 0, 0] + ascii("heicmif1"),
        .unknownFormat, "x: the file is a video (MP4 or QuickTime)\(video)"),
      BytesCase(
        "Matroska", [0x1a, 0x45, 0xdf, 0xa3], .unknownFormat,
        "x: the file is a video (Matroska or WebM)\(video)"),
      BytesCase(
        "AVI", ascii("RIFF") + [0, 0, 0, 0] + ascii("AVI "), .unknownFormat,
        "x: the file is a video (AVI)\(video)"),
      BytesCase(
        "PDF", ascii("%PDF-1.7\n"), .unknownFormat,
        "x: the file is a PDF document, not an image. Convert its pages: pdftoppm -r 150 -png FILE page."),
      BytesCase(
        "SVG", ascii("<?xml version=\"1.0\"?>\n<svg>"), .unknownFormat,
        image("an SVG drawing", "rsvg-convert -o out.png FILE")),
      BytesCase(
        "HTML with an SVG in it", ascii("<!doctype html><html><svg>"), .unknownFormat,
        "x: the file is an HTML or XML page, not an image. "
          + "If it was downloaded, check the URL: the server sent a page."),
      BytesCase(
        "PSD", ascii("8BPS"), .unknownFormat, image("a Photoshop document", "magick 'FILE[0]' out.png")),
      BytesCase("ICO", [0, 0, 1, 0], .unknownFormat, image("an ICO image", "magick 'FILE[0]' out.png")),
      BytesCase(
        "CUR", [0, 0, 2, 0, 1, 0, 32, 32, 0, 0], .unknownFormat,
        image("a CUR image", "magick 'FILE[0]' out.png")),
      BytesCase(
        "TGA, which begins as CUR", [0, 0, 2] + [UInt8](repeating: 0, count: 9) + [64, 1, 240, 0, 24, 32],
        .unknownFormat, image("a TGA image", "magick FILE out.png")),
      BytesCase(
        "TGA in runs", [0, 0, 10] + [UInt8](repeating: 0, count: 9) + [64, 1, 240, 0, 32, 8], .unknownFormat,
        image("a TGA image", "magick FILE out.png")),
      BytesCase(
        "TGA with a colour map", [0, 1, 1, 0, 0, 0, 1, 24, 0, 0, 0, 0, 64, 0, 64, 0, 8, 0], .unknownFormat,
        image("a TGA image", "magick FILE out.png")),
      BytesCase(
        "JPEG 2000", [0, 0, 0, 12] + ascii("jP  "), .unknownFormat,
        image("a JPEG 2000 image", "opj_decompress -i FILE -o out.png")),
      BytesCase(
        "JPEG 2000 codestream", [0xff, 0x4f, 0xff, 0x51], .unknownFormat,
        image("a JPEG 2000 image", "opj_decompress -i FILE -o out.png")),
      BytesCase(
        "JPEG XL", [0xff, 0x0a], .unknownFormat, image("a JPEG XL image", "djxl FILE out.png")),
      BytesCase(
        "JPEG XL in boxes", [0, 0, 0, 12] + ascii("JXL "), .unknownFormat,
        image("a JPEG XL image", "djxl FILE out.png")),
      BytesCase(
        "CR2", [0x49, 0x49, 42, 0, 16, 0, 0, 0] + ascii("CR"), .unknownFormat,
        image("a camera's raw photo", "dcraw_emu -T FILE, or export it as JPEG")),
      BytesCase(
        "CR3", [0, 0, 0, 24] + ascii("ftypcrx "), .unknownFormat,
        image("a camera's raw photo", "dcraw_emu -T FILE, or export it as JPEG")),
      BytesCase(
        "PPM", ascii("P6\n1 1"), .unknownFormat,
        image("a PBM, PGM, PPM or PAM image", "magick FILE out.png")),
      BytesCase(
        "TFLite", [28, 0, 0, 0] + ascii("TFL3") + [0, 1, 2], .unknownFormat,
        "x: the file is a TFLite model\(give)"),
      BytesCase(
        "AppleDouble", [0, 5, 0x16, 7, 0, 2, 0, 0] + ascii("Mac OS X        "), .unknownFormat,
        "x: the file is an AppleDouble file of macOS, not an image. "
          + "Give the file without '._' before its name."),
      BytesCase(
        "ZIP", ascii("PK\u{3}\u{4}"), .unknownFormat, "x: the file is a ZIP archive\(unpack)unzip FILE."),
      BytesCase("gzip", [0x1f, 0x8b], .unknownFormat, "x: the file is a gzip file\(unpack)gunzip FILE."),
      BytesCase(
        "GIF that ends", ascii("GIF89a") + [1, 0, 1, 0], .truncated,
        "x: the GIF file ends before the image does, after 10 bytes. Copy or download the file again."),
      BytesCase(
        "BMP that ends", ascii("BM") + [UInt8](repeating: 0, count: 12) + [40, 0, 0, 0], .truncated,
        "x: the BMP file ends before the image does, after 18 bytes. Copy or download the file again."),
      BytesCase(
        "BMP without its file header that ends",
        [40, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 1, 0, 24, 0, 0, 0, 0, 0], .truncated,
        "x: the BMP file ends before the image does, after 20 bytes. Copy or download the file again."),
      BytesCase(
        "BMP without its file header and pixels wide",
        [12, 0, 0, 0, 0, 0, 9, 0, 1, 0, 24, 0], .corrupt,
        "x: the BMP data is damaged: the size is 0 × 9. "
          + "Open it in an image editor and save it again, or get it from its source again."),
      BytesCase(
        "numbers that begin like a bitmap header, of two planes",
        [40, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 2, 0, 24, 0, 0, 0, 0, 0], .unknownFormat,
        "x: the file is not a \(readable) image. Give an image in one of these formats."),
      BytesCase(
        "numbers that begin like a bitmap header, of 7 bits",
        [12, 0, 0, 0, 9, 0, 9, 0, 1, 0, 7, 0], .unknownFormat,
        "x: the file is not a \(readable) image. Give an image in one of these formats."),
      BytesCase(
        "GIF without a frame", ascii("GIF89a") + [1, 0, 1, 0, 0, 0, 0, 0x3b], .corrupt,
        "x: the GIF data is damaged: no frame before the end. "
          + "Open it in an image editor and save it again, or get it from its source again."),
    ]
  }

  @Test(arguments: BytesCase.all)
  func `bytes that are not an image are rejected by their kind`(_ row: BytesCase) {
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

  @Test func `an address is rejected with the reason`() {
    for (path, remedy) in [
      ("https://example.org/a.jpg", "Download the image first and give the file"),
      ("s3://bucket/a.jpg", "Download the image first and give the file"),
      ("file:///tmp/a.jpg", "Give the path without 'file://'"),
    ] {
      let error = imageError { () throws(ImageError) in try EncodedImage(path: path) }
      #expect(error?.code == .networkAddress)
      #expect(
        error?.description == "\(path): this is a URL, and URLs are not fetched. \(remedy)."
      )
    }
  }

  @Test func `a folder is an error`() {
    let error = imageError { () throws(ImageError) in try EncodedImage(path: PackageRoot.path) }
    #expect(error?.code == .isDirectory)
    #expect(error?.remedy.description == "Give a file inside it")
  }

  @Test func `a device is an error and does not hang`() {
    #expect(imageError { () throws(ImageError) in try EncodedImage(path: "/dev/null") }?.code == .unreadable)
  }

  @Test func `a file without read permission is an error`() async {
    // In a separate process, which gives up root's right to read everything.
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
    let bytes = try TestImage.quarters(PixelSize(width: 64, height: 40)).encoded(as: .png)
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
