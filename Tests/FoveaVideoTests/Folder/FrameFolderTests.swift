// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaTesting
import FoveaVideo
import Testing

@Suite struct FrameFolderTests {
  private func image(_ level: UInt8) throws -> [UInt8] {
    let canvas = PixelCanvas(size: PixelSize(width: 8, height: 6))
    unsafe canvas.withUnsafeMutableBytes { bytes in
      for index in bytes.indices { unsafe bytes[index] = level }
    }
    return try canvas.encoded(as: .png)
  }

  @Test("Images are in natural order, with times at the rate")
  func order() throws {
    let folder = try TemporaryFolder()
    for (name, level) in [
      ("f10.png", 100), ("f2.png", 20), ("f1.PNG", 10), (".hidden.png", 1), ("notes.txt", 1),
    ] {
      try folder.write(name, image(UInt8(level)))
    }
    let frames = try FrameFolder(path: folder.path, frameRate: 20)
    var levels: [Int] = []
    var times: [Double] = []
    while let frame = frames.next() {
      levels.append(try Clip.color(frame.pixels, x: 4, y: 3)[0])
      times.append(frame.seconds)
      #expect(frame.number == levels.count)
    }
    #expect(levels == [10, 20, 100])
    #expect(times == [0, 0.05, 0.1])
    #expect(frames.progress.end == .complete)
  }

  @Test(
    "Images are found by usual extension and by their first bytes; skipped files are counted and named")
  func endings() throws {
    let folder = try TemporaryFolder()
    for name in ["1.png", "2.JFIF", "3", "4.jpg_large"] { try folder.write(name, image(1)) }
    try folder.write("notes.txt", [1])
    try folder.write("sub.jpg/1.png", image(1))
    let frames = try FrameFolder(path: folder.path)
    var count = 0
    while frames.next() != nil { count += 1 }
    #expect(count == 4)
    #expect(frames.progress.warnings == ["skipped 1 file that is not an image: notes.txt"])
  }

  @Test("A folder whose images are all unsupported reports it")
  func unread() throws {
    let folder = try TemporaryFolder()
    try folder.write("1.ppm", Array("P6 2 2 255\n".utf8))
    try folder.write("notes.txt", [1])
    let error = #expect(throws: VideoError.self) { try FrameFolder(path: folder.path) }
    #expect(
      error?.message == "the folder has no images, but 1 image that Fovea does not read: 1 Netpbm (1.ppm)")
  }

  @Test("A damaged image is left out, counted and named, and its number is skipped")
  func damaged() throws {
    let folder = try TemporaryFolder()
    try folder.write("1.png", image(1))
    try folder.write("2.png", [1, 2, 3])
    try folder.write("3.png", image(3))
    let frames = try FrameFolder(path: folder.path)
    #expect(frames.next()?.number == 1)
    #expect(frames.next()?.number == 3)
    #expect(frames.next() == nil)
    #expect(frames.progress.skipped == 1)
    #expect(frames.progress.warnings.first?.hasPrefix("frame 2 was skipped: ") == true)
  }

  @Test("A folder without images, a missing folder and a missing rate are errors")
  func errors() throws {
    let folder = try TemporaryFolder()
    func code(_ path: String, _ rate: Double = 30) -> VideoCode? {
      do throws(VideoError) {
        _ = try FrameFolder(path: path, frameRate: rate)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code(folder.path) == .empty)
    #expect(code(folder.path + "/missing") == .notFound)
    #expect(code(try folder.write("1.png", image(1))) == .unreadable)
    for rate in [0, -1, .nan, .infinity] { #expect(code(folder.path, rate) == .optionInvalid) }
  }

  @Test("After cancel there is no frame")
  func cancel() throws {
    let folder = try TemporaryFolder()
    try folder.write("1.png", image(1))
    let frames = try FrameFolder(path: folder.path)
    frames.cancel()
    #expect(frames.next() == nil)
    #expect(frames.progress.end == .cancelled)
  }
}
