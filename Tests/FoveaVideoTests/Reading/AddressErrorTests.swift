// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import FoveaVideo
import Testing

/// Errors of addresses, which are made from the kind of failure and never contain the address.
@Suite(.onOwnThread, .enabled(if: VideoLibrary.isPresent, "needs FFmpeg's libraries"))
struct AddressErrorTests {
  private static func error(_ source: VideoSource) -> VideoError? {
    var options = VideoReader.Options()
    options.openTimeout = .seconds(20)
    do throws(VideoError) {
      _ = try VideoReader(source, options: options)
      return nil
    } catch {
      return error
    }
  }

  /// Two dots follow each other in the hosts, so no name server is asked.
  static let addresses: [(address: String, code: VideoCode, message: String)] = [
    (
      "rtsp://user:secret@address..e/gate", .unreachable,
      "the address cannot be opened: its host name cannot be resolved"
    ),
    (
      "rtsp://address..e:8554/gate", .unreachable,
      "the address cannot be opened: its host name cannot be resolved"
    ),
    (
      "udp://address..e:99", .unreachable,
      "the address cannot be opened: its host name cannot be resolved"
    ),
    (
      "rtmp://address..e/gate", .unreachable,
      "the address cannot be opened: its host name cannot be resolved"
    ),
    (
      "http://user:secret@address..e/gate", .unreachable,
      "the address cannot be opened: its host name cannot be resolved"
    ),
    (
      "rtsp://user:secret@127.0.0.1:1/gate", .unreachable, "the address cannot be opened: Connection refused"
    ),
    ("RTSP://127.0.0.1:1/gate", .unreachable, "the address cannot be opened: Connection refused"),
    ("http://127.0.0.1:1/gate", .unreachable, "the address cannot be opened: Connection refused"),
    ("rtmp://127.0.0.1:1/gate", .unreachable, "the address cannot be opened: Connection refused"),
    ("tcp://127.0.0.1:1", .unreachable, "the address cannot be opened: Connection refused"),
    ("rtsp://user:sec/ret@address..e/gate", .unreachable, "the address has no valid port"),
  ]

  @Test(arguments: addresses)
  func `an address that cannot be reached has an error without it`(
    address: String, code: VideoCode, message: String
  ) {
    let error = Self.error(VideoSource(address))
    #expect(error?.code == code && error?.message == message)
  }

  @Test func `a password with a slash has its remedy, and is not in the name`() {
    let source = VideoSource("rtsp://user:sec/ret@address..e/gate")
    let error = Self.error(source)
    #expect(error?.subject == "rtsp://user@address..e/gate")
    #expect(error?.remedy.description.contains("as %2F") == true)
  }

  /// The answer of a server, and what its error contains instead of the server's words.
  static let answers: [(status: Int, code: VideoCode, reason: String)] = [
    (401, .unreachable, "401 Unauthorized"), (403, .unreachable, "403 Forbidden"),
    (404, .unreachable, "404 Not Found"), (418, .unreachable, "4XX"), (503, .unreachable, "5XX"),
    (200, .unknownFormat, "Invalid data"),
  ]

  @Test(arguments: answers)
  func `a refusal of a server has its status, and neither the address nor words of the server`(
    status: Int, code: VideoCode, reason: String
  ) throws {
    let server = try LoopbackServer { _, _ in .init(status: status, body: Array("<html>gate</html>".utf8)) }
    defer { server.stop() }
    let error = try #require(Self.error(.stream(server.url + "/gate")))
    #expect(error.code == code && error.message.contains(reason), "\(error.message)")
    for part in ["127.0.0.1", "gate", "html", "Test"] { #expect(!error.message.contains(part)) }
  }

  @Test(arguments: ["https", "rtsps"])
  func `a server that does not speak TLS has the reason of its failure`(_ scheme: String) throws {
    let server = try LoopbackServer { _, _ in .init(status: 400, body: Array("gate".utf8)) }
    defer { server.stop() }
    let address = server.url.replacing("http:", with: scheme + ":") + "/gate"
    let error = try #require(Self.error(.stream(address)))
    // The rest is in the words of the library with which FFmpeg was built.
    #expect(error.message.hasPrefix("the address cannot be opened: TLS failed: "), "\(error.message)")
    #expect(error.code == .unreachable)
    for part in ["127.0.0.1", "gate"] { #expect(!error.message.contains(part), "\(error.message)") }
  }

  @Test func `a missing camera has the system's reason without its path`() {
    let message = Self.error(.camera("/dev/video77"))?.message
    #expect(message == "reading failed: No such file or directory")
  }

  /// An address, its name in messages, and its place in the operator's log.
  static let names: [(text: String, name: String, place: String)] = [
    ("rtsp://me:secret@host:554/a", "rtsp://me@host:554/a", "rtsp://host:554"),
    ("rtsp://host/a?stream=1", "rtsp://host/a?stream=1", "rtsp://host"),
    ("rtsp://secret@host", "rtsp://secret@host", "rtsp://host"),
    ("rtsp://me:s@e:c@host/a", "rtsp://me@host/a", "rtsp://host"),
    ("rtsp://me:sec/ret@host/a", "rtsp://me@host/a", "rtsp://…"),
    ("rtsp://me:s?c#r@host", "rtsp://me@host", "rtsp://…"),
    ("rtsp://host:554/a@b", "rtsp://host:554/a@b", "rtsp://…"),
    ("rtsp://[::1]:554/a", "rtsp://[::1]:554/a", "rtsp://[::1]:554"),
    ("rtsp://[fe80::a]/a@b", "rtsp://[fe80::a]/a@b", "rtsp://…"),
    ("rtsp://", "rtsp://", "rtsp://"), ("rtsp://@", "rtsp://@", "rtsp://"),
    ("RTSP://host", "rtsp://host", "rtsp://host"),
    ("/dev/video77", "/dev/video77", "/dev/video77"), ("a@b.mp4", "a@b.mp4", "a@b.mp4"),
  ]

  @Test(arguments: names)
  func `neither names nor logs contain the password`(text: String, name: String, place: String) {
    let source = VideoSource(text)
    #expect(source.name == name && source.place == place)
  }
}
