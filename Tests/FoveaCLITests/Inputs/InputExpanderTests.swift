// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Fovea
import FoveaCore
import FoveaFormats
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@testable import FoveaCLI

@Suite struct InputExpanderTests {
  /// The expander's output, with failures as "code: name", relative to the folder.
  static func expand(_ arguments: [String], recursive: Bool = false, in folder: TemporaryFolder) -> [String] {
    var expander = InputExpander(arguments.map { $0 == "-" ? $0 : folder[$0] }, recursive: recursive)
    var found: [String] = []
    while let item = expander.next() {
      let text =
        switch item {
        case .image(let image): image.name
        case .failure(let name, let error): "\(error.code): \(name.text)"
        }
      found.append(text.replacing(folder.path + "/", with: ""))
    }
    return found
  }

  static func album() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in [
      "p/10.jpg", "p/2.JPG", "p/1.jpeg", "p/b.PnG", "p/a.webp", "p/notes.txt", "p/jpg", "p/.hidden.jpg",
      "p/x.jpg.bak", "p/sub/3.jpg", "p/sub/deep/4.png", "p/.git/5.jpg", "p/empty/readme", "only/sub/1.jpg",
      "p/._2.JPG", "p/sub/.thumbnails/3.jpg",
    ] { try folder.write(name, "") }
    return folder
  }

  @Test func `a folder gives its images in natural order`() throws {
    let folder = try Self.album()
    #expect(
      Self.expand(["p"], in: folder) == ["p/1.jpeg", "p/2.JPG", "p/10.jpg", "p/a.webp", "p/b.PnG"])
  }

  @Test func `subfolders are searched on request`() throws {
    let folder = try Self.album()
    #expect(
      Self.expand(["p/"], recursive: true, in: folder) == [
        "p/1.jpeg", "p/2.JPG", "p/10.jpg", "p/a.webp", "p/b.PnG", "p/sub/3.jpg", "p/sub/deep/4.png",
      ])
    #expect(Self.expand(["only"], recursive: true, in: folder) == ["only/sub/1.jpg"])
  }

  @Test func `images are found by each usual extension, and by their first bytes if the name has none`()
    throws
  {
    let folder = try TemporaryFolder()
    let endings = [
      "jpg", "jpeg", "JPE", "jfif", "JIF", "jfi", "pjpeg", "pjp", "mpo", "png", "apng", "webp", "heic",
      "heif", "HIF",
      "avif", "gif", "bmp", "dib", "tif", "TIFF", "tf8", "btf", "gtif", "GTIFF", "geotiff",
    ]
    for ending in endings { try folder.write("in/a.\(ending)", "") }
    let png = try PixelCanvas(size: PixelSize(width: 2, height: 2)).encoded(as: .png)
    for name in ["1", "photo.jpg_large", "b.image"] { try folder.write("in/\(name)", png) }
    // A declared other format is trusted; a raw photo starts like TIFF.
    for name in ["n.txt", "c.jpg.bak", "d.jpg.partial", "e~"] { try folder.write("in/\(name)", png) }
    try folder.write("in/f.rwl", [0x49, 0x49, 42, 0, 8, 0, 0, 0])
    try folder.write("in/scan", [0x49, 0x49, 42, 0, 8, 0, 0, 0])
    try folder.write("in/g.unknown", "text")
    var expander = InputExpander([folder["in"]], recursive: false)
    var found: Set<String> = []
    while let item = expander.next() {
      if case .image(let image) = item { found.insert(image.relativePath) }
    }
    #expect(found == Set(endings.map { "a.\($0)" } + ["1", "photo.jpg_large", "b.image", "scan"]))
    #expect(expander.search.passedOver == 6)
    let start = "skipped 1 image that Fovea does not read: 1 TIFF with another extension (f.rwl)"
    #expect(expander.search.note?.hasPrefix(start + ", and 5 files that are not images: ") == true)
    #expect(expander.search.note?.hasSuffix(", …") == true)
  }

  @Test func `unsupported images are counted by kind`() throws {
    let folder = try TemporaryFolder()
    let targa: [UInt8] = [0, 0, 2] + [UInt8](repeating: 0, count: 9) + [64, 1, 240, 0, 24, 32]
    let wavelets: [UInt8] = [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 13, 10, 0x87, 10]
    let files: [(String, [UInt8])] = [
      ("a.tga", targa), ("b.TGA", targa), ("c.jp2", wavelets), ("d", Array("P6 2 2 255\n".utf8)),
      ("e.NEF", []), ("f.svg", []), ("g.eps", []), ("h.pcx", [10, 5, 1, 8]), ("i.sgi", [1, 0xDA]),
    ]
    for (name, bytes) in files { try folder.write("in/" + name, bytes) }
    try folder.write("only/" + files[2].0, wavelets)
    var expander = InputExpander([folder["in"]], recursive: false)
    while expander.next() != nil {}
    // The names are the first in the folder's order, which is arbitrary.
    let note = try #require(expander.search.note)
    #expect(
      note.hasPrefix(
        "skipped 9 images that Fovea does not read: 2 TGA, 1 EPS, 1 JPEG 2000, 1 Netpbm, 1 PCX, 1 SGI, "
          + "1 SVG, 1 raw ("),
      "\(note)")
    #expect(note.hasSuffix(", …)"))
    expander = InputExpander([folder["only"]], recursive: false)
    while expander.next() != nil {}
    #expect(
      expander.search.note == "skipped 1 image that Fovea does not read: 1 JPEG 2000 (c.jp2)")
  }

  @Test func `a single skipped file is named, in any folder`() throws {
    let folder = try TemporaryFolder()
    for name in ["in/a.jpg", "in/sub/notes.txt", "in/sub/.hidden.txt"] { try folder.write(name, "") }
    var expander = InputExpander([folder["in"]], recursive: true)
    while expander.next() != nil {}
    #expect(expander.search.note == "skipped 1 file that is not an image: sub/notes.txt")
  }

  @Test func `a pipe in a folder is skipped with a note`() throws {
    let folder = try TemporaryFolder()
    try folder.write("in/a.jpg", "")
    try #require(unsafe mkfifo(folder["in/pipe.jpg"], 0o600) == 0)
    var expander = InputExpander([folder["in"]], recursive: false)
    while expander.next() != nil {}
    #expect(expander.search.note == "skipped 1 file that is not an image: pipe.jpg")
  }

  @Test func `one bad argument does not end the run`() throws {
    let folder = try Self.album()
    #expect(
      Self.expand(["missing.jpg", "p/empty", "only", "p/*.txt", "p/?.webp", "p/*.gif", "-"], in: folder) == [
        "input-missing: missing.jpg", "folder-empty: p/empty", "folder-empty: only", "p/notes.txt",
        "p/a.webp", "input-no-match: p/*.gif", "-",
      ])
  }

  @Test func `a pattern that matches folders opens them`() throws {
    let folder = try Self.album()
    #expect(Self.expand(["p/s*"], in: folder) == ["p/sub/3.jpg"])
  }

  @Test func `a file whose name looks like a pattern is that file`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a[1].jpg", "")
    try folder.write("a1.jpg", "")
    #expect(Self.expand(["a[1].jpg"], in: folder) == ["a[1].jpg"])
  }

  @Test func `circular links end`() throws {
    let folder = try Self.album()
    try folder.link("p/sub/loop", to: folder["p"])
    try folder.link("p/again", to: "sub")
    try folder.link("p/self", to: "self")
    try folder.link("p/photo.jpg", to: "10.jpg")
    try folder.link("p/broken.jpg", to: "nowhere")
    #expect(
      Self.expand(["p"], recursive: true, in: folder) == [
        "p/1.jpeg", "p/2.JPG", "p/10.jpg", "p/a.webp", "p/again/3.jpg", "p/again/deep/4.png", "p/b.PnG",
        "p/broken.jpg", "p/photo.jpg",
      ])
  }

  @Test func `an empty folder explains how to search deeper`() throws {
    let folder = try Self.album()
    var expander = InputExpander([folder["only"]], recursive: false)
    guard case .failure(_, let error) = expander.next() else {
      Issue.record("expected a failure")
      return
    }
    #expect(error.message == "no images (\(ImageFileName.extensionList)) in this folder")
    #expect(error.remedy.description == "Add --recursive to search the folders in it, or name another one")
  }

  @Test(arguments: [
    ("http://x/a.jpg", "Pipe the file in: curl -s 'http://x/a.jpg' | fovea detect -"),
    ("HTTPS://x", "Pipe the file in: curl -s 'HTTPS://x' | fovea detect -"),
    ("ftp://x", "Pipe the file in: curl -s 'ftp://x' | fovea detect -"),
    ("s3://b/k", "Pipe the file in: aws s3 cp 's3://b/k' - | fovea detect -"),
    ("gs://b/k", "Pipe the file in: gcloud storage cat 'gs://b/k' | fovea detect -"),
    ("rtsp://cam/1", "Save an image of it first: ffmpeg -i 'rtsp://cam/1' -frames:v 1 out.jpg"),
    ("file:///a.jpg", "Give the path without 'file://'"),
    ("x://a", "Download it first and give the file"),
  ])
  func `an address is rejected with an alternative`(_ address: String, _ remedy: String) {
    var expander = InputExpander([address], recursive: false)
    guard case .failure(_, let error) = expander.next() else {
      Issue.record("expected a failure")
      return
    }
    #expect(error.message == "this is a URL, and URLs are not fetched")
    #expect(error.remedy.description == remedy)
    #expect(expander.next() == nil)
  }

  @Test func `an address is not a model`() {
    let error = #expect(throws: FoveaError.self) { try ModelLookup.path("https://x.y/z.tflite") as String }
    #expect(error?.code.rawValue == "input-is-url")
    #expect(error?.subject == "https://x.y/z.tflite")
  }

  @Test(arguments: ["a://b", "C:/x.jpg", "://x", "a b://c", "dir/http://x"])
  func `names that only look like an address`(_ argument: String) {
    #expect(InputExpander.isAddress(argument) == (argument == "a://b"))
  }

  @Test func `a name that is not UTF-8 is found and read`() throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.path).appending([0x61, 0xFF, 0x2E, 0x70, 0x6E, 0x67])
    let descriptor = unsafe open(path.cString, O_WRONLY | O_CREAT, 0o600)
    // A file system that only accepts UTF-8 has no such files.
    guard descriptor >= 0 else { return }
    #expect(unsafe write(descriptor, "content", 7) == 7)
    close(descriptor)
    var expander = InputExpander([folder.path], recursive: false)
    guard case .image(let image) = expander.next() else {
      Issue.record("expected an image")
      return
    }
    #expect(image.name == folder["a\u{FFFD}.png"])
    #expect(
      try image.load(limit: 100, stop: StopSignal()) == .bytes(Array("content".utf8), name: image.name))
    #expect(throws: FoveaError.self) { try image.load(limit: 6, stop: StopSignal()) }
  }

  @Test func `many names take little memory and stay in order`() throws {
    let folder = try TemporaryFolder()
    for number in 0..<2_000 { try folder.write("d/\(number).jpg", "") }
    #expect(Self.expand(["d"], in: folder) == (0..<2_000).map { "d/\($0).jpg" })
  }

  @Test func `several inputs are distinguished from one`() throws {
    let folder = try Self.album()
    #expect(InputExpander.isBatch([folder["p"]]))
    #expect(InputExpander.isBatch([folder["p/*.jpg"]]))
    #expect(InputExpander.isBatch(["a", "b"]))
    #expect(!InputExpander.isBatch([folder["p/10.jpg"]]))
    #expect(!InputExpander.isBatch(["-"]))
    #expect(!InputExpander.isBatch(["missing.jpg"]))
  }
}
