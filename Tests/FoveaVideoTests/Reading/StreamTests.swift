// SPDX-License-Identifier: Apache-2.0

import FoveaImage
import FoveaTesting
import FoveaVideo
import Synchronization
import Testing

/// Streams from a server on this machine that stalls, dies and returns.
@Suite(.onOwnThread, .enabled(if: VideoLibrary.isPresent, "needs FFmpeg's libraries"))
struct StreamTests {
  /// A server on a busy machine may be silent for seconds: tests of silence set `silence`.
  private func options(attempts: Int = 3, silence: Duration = .seconds(60)) -> VideoReader.Options {
    var options = VideoReader.Options()
    options.openTimeout = .seconds(20)
    options.readTimeout = silence
    options.reconnectAttempts = attempts
    options.reconnectDelay = .milliseconds(5)
    options.reconnectDelayLimit = .milliseconds(20)
    return options
  }

  private func read(
    _ server: LoopbackServer, _ options: VideoReader.Options
  ) throws -> (progress: VideoProgress, frames: [VideoFrame], error: VideoError?) {
    let reader = try VideoReader(.stream(server.url + "/clip.ts"), options: options)
    var frames: [VideoFrame] = []
    do throws(VideoError) {
      while let frame = try reader.next() { frames.append(frame) }
      return (reader.progress, frames, nil)
    } catch {
      return (reader.progress, frames, error)
    }
  }

  @Test("A file sent by a server is read to its end", arguments: ["h264.mp4", "h264.ts", "vp9.webm"])
  func whole(_ name: String) throws {
    let bytes = try Clip.bytes(name)
    let server = try LoopbackServer { request, _ in .file(bytes, for: request) }
    defer { server.stop() }
    let (progress, frames, error) = try read(server, options())
    #expect(error == nil)
    #expect(frames.count == 12)
    #expect(progress.end == .complete)
    #expect(progress.reconnections == 0)
  }

  @Test("An interrupted live stream is connected again, and time continues")
  func live() throws {
    let bytes = try Clip.bytes("h264.ts")
    // Without a length it has no end; the third connection is rejected, and so are all later ones.
    let server = try LoopbackServer { _, number in
      guard number < 2 else { return .init(status: 503) }
      var reply = LoopbackServer.Reply(body: bytes)
      reply.announcedLength = -1
      return reply
    }
    defer { server.stop() }
    let (progress, frames, error) = try read(server, options())
    #expect(frames.count == 24)
    #expect(progress.reconnections == 1)
    #expect(progress.end == .lost)
    #expect(error?.code == .streamLost)
    #expect(error?.message.hasPrefix("the stream was lost after 24 frames: ") == true)
    #expect(error?.message.hasSuffix("; 3 attempts to reconnect failed") == true)
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.seconds < $1.seconds && $0.number < $1.number })
    // Two good connections and three attempts; each attempt is one connection.
    #expect(server.connections == 5)
  }

  @Test("An interrupted file continues where it ended, no frame twice")
  func resumed() throws {
    let bytes = try Clip.bytes("h264.ts")
    let server = try LoopbackServer { _, number in
      var reply = LoopbackServer.Reply(body: bytes)
      if number == 0 { reply.cutAfter = bytes.count * 6 / 10 }
      return reply
    }
    defer { server.stop() }
    let (progress, frames, error) = try read(server, options())
    #expect(error == nil)
    #expect(progress.end == .complete)
    #expect(frames.count <= 12 && frames.count >= 11)
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.seconds < $1.seconds })
    #expect(progress.reconnections == 1)
    #expect(progress.warnings.contains { $0.contains("reconnected") })
  }

  @Test("A silent stream is lost after the timeout")
  func silent() throws {
    let bytes = try Clip.bytes("raw.avi")
    let server = try LoopbackServer { _, number in
      guard number == 0 else { return .init(status: 404) }
      var reply = LoopbackServer.Reply(body: bytes)
      // In the third of three frames of 9 KB.
      reply.stallAfter = 28_000
      return reply
    }
    defer { server.stop() }
    let (_, frames, error) = try read(server, options(attempts: 1, silence: .seconds(1)))
    #expect(frames.count == 2)
    #expect(error?.code == .streamLost)
  }

  @Test("Opening fails with a reason: no server, no such page, no response, no video")
  func opening() throws {
    let bytes = Array("<html>no video</html>".utf8)
    let server = try LoopbackServer { request, _ in
      switch request.target {
      case "/missing.ts": return .init(status: 404)
      case "/page.ts": return .init(body: bytes)
      default:
        var reply = LoopbackServer.Reply()
        reply.isSilent = true
        reply.stallAfter = 0
        return reply
      }
    }
    var options = options()
    options.openTimeout = .milliseconds(300)
    func code(_ address: String) -> VideoCode? {
      do throws(VideoError) {
        _ = try VideoReader(.stream(address), options: options)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code(server.url + "/silent.ts") == .timedOut)
    options.openTimeout = .seconds(20)
    #expect(code(server.url + "/missing.ts") == .unreachable)
    #expect(code(server.url + "/page.ts") == .unknownFormat)
    server.stop()
    #expect(code(server.url + "/gone.ts") == .unreachable)
    #expect(code("rtsp://127.0.0.1:1/camera") == .unreachable)
  }

  @Test("A playlist from a server cannot lead to files of this machine")
  func playlist() throws {
    let victim = Clip.path("h264.ts")
    let list = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1.2,\nfile://\(victim)\n#EXT-X-ENDLIST\n"
    let server = try LoopbackServer { _, _ in .init(body: Array(list.utf8)) }
    defer { server.stop() }
    #expect(throws: VideoError.self) {
      let reader = try VideoReader(.stream(server.url + "/list.m3u8"), options: options())
      while let frame = try reader.next() { Issue.record("a frame of a local file: \(frame.number)") }
    }
  }

  @Test("Cancelling ends a reader waiting for a silent server")
  func cancel() async throws {
    let bytes = try Clip.bytes("raw.avi")
    let server = try LoopbackServer { _, _ in
      var reply = LoopbackServer.Reply(body: bytes)
      reply.stallAfter = 28_000
      return reply
    }
    defer { server.stop() }
    var options = options()
    options.readTimeout = .zero
    let reader = try await onOwnThread { [options] in try VideoReader(.stream(server.url), options: options) }
    let count = Mutex(0)
    async let reading: Void = onOwnThread {
      while try reader.next() != nil { count.withLock { $0 += 1 } }
    }
    try await waitUntil("two frames are read") { count.withLock { $0 } == 2 }
    // Long enough to wait for the third one; otherwise the result is the same.
    try await Task.sleep(for: .milliseconds(100))
    reader.cancel()
    try await reading
    #expect(count.withLock { $0 } == 2)
    #expect(reader.progress.end == .cancelled)
  }
}
