// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaGeometry
import FoveaImage
import FoveaTesting
import FoveaVideo
import Testing

@Suite(.onOwnThread, .enabled(if: VideoLibrary.isPresent, "needs FFmpeg's libraries"))
struct ReadingErrorTests {
  static let contents: [(name: String, bytes: [UInt8], code: VideoCode)] = [
    ("empty.mp4", [], .empty),
    ("text.mp4", Array("this is no video\n".utf8), .unknownFormat),
    ("text.txt", Array("\u{1B}[31mcoloured text\n".utf8), .unknownFormat),
    ("one.mp4", [0], .unknownFormat),
    (
      "boxes.dat", Array(#"[{"image": "fr/001.png", "width": 360, "height": 640, "objects": []}]"#.utf8),
      .unknownFormat
    ),
    ("list.m3u8", Array("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n".utf8), .playlist),
    ("list.txt", Array("ffconcat version 1.0\nfile '/etc/passwd'\n".utf8), .playlist),
    ("marked.m3u8", [0xEF, 0xBB, 0xBF] + Array("#EXTM3U\nhttp://127.0.0.1:1/a.ts\n".utf8), .playlist),
    ("session.sdp", Array("v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\n".utf8), .playlist),
    // DASH is only recognised by its root element; none of its readers is allowed for files.
    (
      "dash.mpd", Array("<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\"></MPD>".utf8),
      .unknownFormat
    ),
  ]

  @Test("A file that is not a video is rejected by its content", arguments: contents.indices)
  func content(_ index: Int) throws {
    let folder = try TemporaryFolder()
    let (name, bytes, code) = Self.contents[index]
    let path = try folder.write(name, bytes)
    #expect(Clip.code(path) == code)
    do throws(VideoError) { _ = try VideoReader(path: path) } catch {
      #expect(!error.message.contains("whitelist"), "\(error.message)")
    }
  }

  @Test(
    "A sound file is not a video, even with a cover image",
    arguments: ["sound.wav", "sound.m4a", "cover.mp3"])
  func sound(_ name: String) { #expect(Clip.code(Clip.path(name)) == .noVideo) }

  @Test("A missing file, a folder and a device are named as such")
  func names() throws {
    let folder = try TemporaryFolder()
    #expect(Clip.code(folder.path + "/missing.mp4") == .notFound)
    #expect(Clip.code(folder.path) == .isDirectory)
    #expect(Clip.code("/dev/null") == .unreadable)
    #expect(Clip.code("") == .notFound)
  }

  @Test("An error names the file, the reason and the remedy, by exact text")
  func text() throws {
    do throws(VideoError) {
      _ = try VideoReader(path: "missing.mp4")
      Issue.record("it was opened")
    } catch {
      #expect("\(error)" == "missing.mp4: there is no such file. Check the path.")
    }
    do throws(VideoError) {
      _ = try VideoReader(path: Clip.path("sound.wav"))
      Issue.record("it was opened")
    } catch {
      #expect(error.message == "it has no video track, only sound")
      #expect(error.remedy.description == "Give a file with a video track")
    }
  }

  @Test("A playlist opens neither files nor the network, whatever hides it")
  func hostile() throws {
    let server = try LoopbackServer { _, _ in .init(status: 404) }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let video = try folder.write("victim.ts", Clip.bytes("h264.ts"))
    let lists = [
      // After a blank line the list is not recognised by its first bytes.
      "\n#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(server.url)/a.ts\n#EXT-X-ENDLIST\n",
      "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(video)\n#EXT-X-ENDLIST\n",
      "ffconcat version 1.0\nfile '\(video)'\n", "ffconcat version 1.0\nfile '\(server.url)/a.ts'\n",
      "\n\nffconcat version 1.0\nfile 'victim.ts'\n",
    ]
    for (index, list) in lists.enumerated() {
      let path = try folder.write("list\(index).mp4", Array(list.utf8))
      let code = Clip.code(path)
      #expect(code == .playlist || code == .unknownFormat)
    }
    #expect(server.connections == 0)
  }

  @Test(
    "Names that look like addresses, patterns or options are files if they exist",
    arguments: [
      "http:", "pipe:0", "%d.mp4", "concat:a|b", "-", "clip.mp4?x=1", "file:a.mp4", "ä ö.mp4", "a\nb.mp4",
    ])
  func hostileNames(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(name, Clip.bytes("h264.mp4"))
    #expect(VideoSource(path) == .file(path))
    #expect(try Clip.read(path).1.count == 12)
  }

  @Test(
    "A truncated file returns its frames with a warning",
    arguments: [
      "h264.mp4", "h264.ts", "mpeg4.avi", "vp9.webm", "varied.mkv", "mjpeg.mov", "animated.gif",
      "hevc-10bit.mp4",
    ])
  func truncated(_ name: String) throws {
    let folder = try TemporaryFolder()
    let whole = try Clip.bytes(name)
    let all = try Clip.read(Clip.path(name)).1.count
    for tenth in 1...9 {
      let path = try folder.write("cut-\(tenth)-\(name)", Array(whole.prefix(whole.count * tenth / 10)))
      do throws(VideoError) {
        let reader = try VideoReader(path: path)
        var count = 0
        while try reader.next() != nil { count += 1 }
        #expect(count <= all)
        #expect(reader.progress.end != nil)
        // A GIF does not state its number of frames.
        if count + reader.progress.skipped < all - 3, reader.info.frameCount != nil, !name.hasSuffix("gif") {
          #expect(reader.progress.end == .truncated, "\(name) at \(tenth)0 % gives \(count) frames")
          #expect(!reader.progress.warnings.isEmpty)
        }
      } catch {
        #expect(!error.message.isEmpty && !error.remedy.description.isEmpty && error.subject == path)
      }
    }
  }

  @Test("An MP4 without its index is reported as truncated")
  func noIndex() throws {
    let folder = try TemporaryFolder()
    let whole = try Clip.bytes("h264-tail.mp4")
    // The images end at byte 1124, the index follows.
    #expect(Clip.code(try folder.write("frames.mp4", Array(whole.prefix(1000)))) == .truncated)
    #expect(Clip.code(try folder.write("index.mp4", Array(whole.prefix(1250)))) == .damaged)
  }

  @Test("Frames over the pixel limit are rejected before memory is allocated")
  func tooLarge() throws {
    var options = VideoReader.Options()
    options.maximumPixels = 64 * 48 - 1
    do throws(VideoError) {
      _ = try VideoReader(path: Clip.path("h264.mp4"), options: options)
      Issue.record("it was opened")
    } catch {
      #expect(error.code == .tooLarge)
      #expect(error.message.contains("64 × 48"))
    }
  }

  @Test("Options out of range are rejected with their name and range")
  func options() {
    let changes: [(inout VideoReader.Options) -> Void] = [
      { $0.threads = 0 }, { $0.threads = 65 }, { $0.maximumPixels = 0 }, { $0.frameLimit = 0 },
      { $0.frameLimit = -1 }, { $0.reconnectAttempts = -1 }, { $0.openTimeout = .seconds(-1) },
      { $0.cameraSize = PixelSize(width: 0, height: 1) }, { $0.cameraFrameRate = .nan },
      { $0.cameraFrameRate = 0 },
    ]
    for change in changes {
      var options = VideoReader.Options()
      change(&options)
      do throws(VideoError) {
        _ = try VideoReader(path: Clip.path("h264.mp4"), options: options)
        Issue.record("it was opened with \(options)")
      } catch {
        #expect(error.code == .optionInvalid)
        #expect(error.message.contains("expected"))
      }
    }
  }

  @Test("Without a graphics card the processor decodes with a note, and requiring one is an error")
  func hardware() throws {
    try #require(!FileManager.default.fileExists(atPath: "/dev/dri/renderD128"))
    let reader = try VideoReader(path: Clip.path("h264.mp4"))
    #expect(reader.info.decoding == .softwareInstead(reason: "this machine has no /dev/dri/renderD128"))
    var options = VideoReader.Options()
    options.hardware = .off
    #expect(try VideoReader(path: Clip.path("h264.mp4"), options: options).info.decoding == .software)
    options.hardware = .required
    do throws(VideoError) {
      _ = try VideoReader(path: Clip.path("h264.mp4"), options: options)
      Issue.record("it was opened")
    } catch {
      #expect(error.code == .hardwareMissing)
      #expect(error.message == "hardware decoding is not available: this machine has no /dev/dri/renderD128")
    }
  }

  @Test("A missing camera is an error")
  func camera() {
    #expect(VideoSource("/dev/video77") == .camera("/dev/video77"))
    do throws(VideoError) {
      _ = try VideoReader(VideoSource("/dev/video77"))
      Issue.record("it was opened")
    } catch {
      #expect(error.subject == "/dev/video77")
      #expect(error.code != .outOfMemory)
    }
  }

  @Test("Passwords of addresses are not repeated")
  func passwords() {
    #expect(VideoSource("rtsp://me:secret@host/a@b:c").name == "rtsp://me@host/a@b:c")
    #expect(VideoSource("rtsp://host/a").name == "rtsp://host/a")
    #expect(VideoSource("-") == .standardInput)
    #expect(VideoSource("gopher://host/a") == .file("gopher://host/a"))
  }
}
