// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaCore
import FoveaImage
import FoveaTesting
import FoveaVideo
import Synchronization
import Testing

@Suite(.enabled(if: VideoLibrary.isPresent, "needs FFmpeg's libraries")) struct PipeTests {
  @Test(
    "A video is read through a named pipe", arguments: ["h264.mp4", "h264.ts", "vp9.webm", "animated.gif"])
  func pipe(_ name: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pipe"
    try #require(unsafe mkfifo(path, 0o600) == 0)
    let bytes = try Clip.bytes(name)
    async let writing: Void = onOwnThread {
      let file = unsafe open(path, O_WRONLY)
      // In chunks, as another program would write.
      for start in stride(from: 0, to: bytes.count, by: 700) {
        let piece = Array(bytes[start..<min(start + 700, bytes.count)])
        unsafe _ = Glibc.write(file, piece, piece.count)
      }
      close(file)
    }
    let (end, count) = try await onOwnThread {
      let (reader, frames) = try Clip.read(path)
      return (reader.progress.end, frames.count)
    }
    try await writing
    #expect(count == 12)
    #expect(end == .complete)
  }

  @Test("Cancelling ends a reader waiting for a pipe")
  func cancel() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pipe"
    try #require(unsafe mkfifo(path, 0o600) == 0)
    let bytes = try Clip.bytes("h264.ts")
    // The pipe stays open, so the video does not end; it holds 64 KiB.
    let file = unsafe open(path, O_RDWR)
    defer { close(file) }
    for _ in 0..<7 { unsafe _ = Glibc.write(file, bytes, bytes.count) }
    let reader = try await onOwnThread { try VideoReader(path: path) }
    let count = Mutex(0)
    async let reading: Void = onOwnThread {
      while try reader.next() != nil { count.withLock { $0 += 1 } }
    }
    try await waitUntil("a frame is read") { count.withLock { $0 } > 0 }
    // Long enough to wait for more; otherwise the result is the same.
    try await Task.sleep(for: .milliseconds(300))
    reader.cancel()
    try await reading
    #expect((1..<84).contains(count.withLock { $0 }))
    #expect(reader.progress.end == .cancelled)
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
