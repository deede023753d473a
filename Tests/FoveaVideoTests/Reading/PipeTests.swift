// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaImage
import FoveaTesting
import FoveaVideo
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite(.enabled(if: VideoLibrary.isPresent, "needs FFmpeg's libraries")) struct PipeTests {
  @Test("A video comes through a named pipe", arguments: ["h264.mp4", "h264.ts", "vp9.webm", "animated.gif"])
  func pipe(_ name: String) async throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/pipe"
    try #require(unsafe mkfifo(path, 0o600) == 0)
    let bytes = try Clip.bytes(name)
    let writing = Task.detached {
      let file = unsafe open(path, O_WRONLY)
      // In pieces, as another program would.
      for start in stride(from: 0, to: bytes.count, by: 700) {
        let piece = Array(bytes[start..<min(start + 700, bytes.count)])
        unsafe _ = Glibc.write(file, piece, piece.count)
      }
      close(file)
    }
    let (reader, frames) = try Clip.read(path)
    await writing.value
    #expect(frames.count == 12)
    #expect(reader.progress.end == .complete)
  }

  @Test("Cancelling ends a reader that waits for a pipe")
  func cancel() async throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/pipe"
    try #require(unsafe mkfifo(path, 0o600) == 0)
    let bytes = try Clip.bytes("h264.ts")
    let file = unsafe open(path, O_RDWR)
    defer { close(file) }
    unsafe _ = Glibc.write(file, bytes, bytes.count)
    unsafe _ = Glibc.write(file, bytes, bytes.count)
    // The pipe stays open, so that the video does not end: opening may wait for more of it, too.
    let reading = Task.detached { () -> VideoReader? in
      try? VideoReader(path: path)
    }
    try await Task.sleep(for: .milliseconds(200))
    unsafe _ = Glibc.write(file, bytes, bytes.count)
    try await Task.sleep(for: .milliseconds(200))
    close(dup(file))
    reading.cancel()
  }

  @Test("Standard input is a source")
  func standardInput() async {
    await #expect(processExitsWith: .success) {
      let file = unsafe open(Clip.path("h264.mp4"), O_RDONLY)
      dup2(file, STDIN_FILENO)
      let reader = try VideoReader(VideoSource("-"))
      var count = 0
      while try reader.next() != nil { count += 1 }
      guard count == 12, reader.name == "standard input" else { exit(1) }
    }
  }
}
