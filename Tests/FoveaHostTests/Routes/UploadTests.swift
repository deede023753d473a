// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

@Suite struct UploadTests {
  /// 100 bytes that are a model to the tests' host.
  static let model = markedModel(String(repeating: "0123456789", count: 9) + "ab")
  private static let create = "/v1beta2/projects/test-project/models"

  /// A model can be created from an object, as Google's clients do.
  private static func expectUsable(_ host: RunningHost, _ object: String) throws {
    let made = try host.send(
      as: .publisher, "POST", create,
      body:
        #"{"displayName": "m", "tfliteModel": {"gcsTfliteUri": "gs://\#(RunningHost.bucket)/\#(object)"}}"#)
    #expect(made.status == 200 && made.body.contains("modelHash"), "\(made.body)")
  }

  private static func expectReason(_ answer: RunningHost.Answer, _ words: String, _ host: RunningHost) {
    #expect(answer.body.contains(words), "\(answer.status) \(answer.body)")
    #expect(!answer.body.contains(host.folder.path) && !answer.body.contains("uploads/"))
  }

  /// A request whose connection ends before its body does.
  struct Cut: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let target: String
    var type = "application/octet-stream"
  }

  static let cuts: [Cut] = [
    Cut(testDescription: "media", target: "\(RunningHost.uploads)?uploadType=media&name=cut"),
    Cut(
      testDescription: "multipart", target: "\(RunningHost.uploads)?uploadType=multipart",
      type: "multipart/related; boundary=b"),
    Cut(testDescription: "native", target: "/v1/host/projects/test-project/models/cut/versions"),
  ]

  @Test(arguments: cuts) func `an upload whose connection ends leaves nothing, and the next one works`(
    cut: Cut
  ) async throws {
    try await RunningHost.run { host throws in
      for count in [0, 1, 60] {
        _ = try host.sendRaw(
          [
            "POST \(cut.target) HTTP/1.1", "Authorization: Bearer \(host.tokens[.publisher] ?? "")",
            "Content-Type: \(cut.type)", "Content-Length: 1000",
          ], body: Array(Self.model.utf8.prefix(count)), closes: true)
      }
      #expect(try host.upload("whole", Self.model).status == 200)
      blockUntil { host.uploadsUnderWay == 0 }
      #expect(host.uploadsUnderWay == 0)
      #expect(try host.storedFiles.count == 1)
      #expect(host.models.catalogue.counts.models == 0)
      try Self.expectUsable(host, "whole")
    }
  }

  @Test(arguments: [
    ("", "begin with its boundary"), ("--b", "has no end"),
    ("--b\r\n\r\n{}\r\n--b\r\n\r\nxyz", "has no end"),
    ("--b\r\n\r\n{}\r\n--b--", "has no end"),
    ("--b\r\n\r\n{}\r\n--b\r\n\r\nx\r\n--b\r\n\r\ny\r\n--b--", "more than two parts"),
    ("--b\r\n\r\n{\r\n--b\r\n\r\nx\r\n--b--", "metadata"),
    ("--b\r\n\r\n{\"name\": 5}\r\n--b\r\n\r\nx\r\n--b--", "name"),
    ("--b\r\n\r\n{}\r\n--b\r\n\r\nx\r\n--b--", "name of the object"),
    ("--b\r\n\r\n{\"name\": \"a/../b\"}\r\n--b\r\n\r\nx\r\n--b--", "name of the object"),
    ("--b\r\n\r\n{\"name\": \"a\", \"crc32c\": \"AAAAAA==\"}\r\n--b\r\n\r\nx\r\n--b--", "crc32c"),
    (
      "--b\r\n\r\n{\"name\": \"a\", \"crc32c\": \"AAAAAAAAAAAAAAAAAAAA\"}\r\n--b\r\n\r\nx\r\n--b--",
      "crc32c"
    ),
  ])
  func `a multipart upload that differs from its headers leaves nothing`(body: String, reason: String)
    async throws
  {
    try await RunningHost.run { host throws in
      let answer = try host.send(
        as: .publisher, "POST", "\(RunningHost.uploads)?uploadType=multipart",
        headers: ["Content-Type": "multipart/related; boundary=b"], body: body)
      #expect(answer.status == 400)
      Self.expectReason(answer, reason, host)
      #expect(host.uploadsUnderWay == 0)
      #expect(try host.storedFiles.isEmpty)
      #expect(try host.upload("a", Self.model).status == 200)
    }
  }

  @Test(arguments: ["crc32c=AAAAAA==", "md5=abc, crc32c=AAAAAA=="])
  func `bytes with another checksum than declared are not an object`(hash: String) async throws {
    try await RunningHost.run { host throws in
      let target = "\(RunningHost.uploads)?uploadType=media&name=a"
      let wrong = try host.send(
        as: .publisher, "POST", target, headers: ["X-Goog-Hash": hash], body: Self.model)
      #expect(wrong.status == 400)
      Self.expectReason(wrong, "crc32c", host)
      #expect(host.uploadsUnderWay == 0)
      #expect(try host.storedFiles.isEmpty)
      let right = try host.send(
        as: .publisher, "POST", target,
        headers: ["X-Goog-Hash": "crc32c=\(RunningHost.checksum(Self.model))"], body: Self.model)
      #expect(right.status == 200 && right.body.contains(RunningHost.checksum(Self.model)))
    }
  }

  /// A checksum that a client declares for ``model``, in headers or in metadata.
  struct Declared: Sendable, CustomTestStringConvertible {
    var headers: [String: String] = [:]
    var member: String?
    /// A part of the error's text; nil if the checksum is right.
    var reason: String?
    /// True if the response has the MD5 too.
    var hasMD5 = true
    var testDescription: String { "\(headers) \(member ?? "")" }
  }

  private static let zeros = "AAAAAAAAAAAAAAAAAAAAAA=="
  private static let sums = (crc32c: RunningHost.checksum(model), md5: RunningHost.md5(model))

  static let declared: [Declared] = [
    Declared(hasMD5: false),
    Declared(headers: ["Content-MD5": sums.md5]),
    Declared(headers: ["X-Goog-Hash": "md5=\(sums.md5)"]),
    Declared(headers: ["X-Goog-Hash": "crc32c=\(sums.crc32c), md5=\(sums.md5)"]),
    Declared(headers: ["X-Goog-Hash": "crc32c=\(sums.crc32c)"], hasMD5: false),
    Declared(member: #""md5Hash": "\#(sums.md5)""#),
    Declared(member: #""md5Hash": null"#, hasMD5: false),
    Declared(headers: ["Content-MD5": zeros], reason: "The bytes have the md5 \(sums.md5), not"),
    Declared(headers: ["X-Goog-Hash": "md5=\(zeros)"], reason: "The bytes have the md5 \(sums.md5), not"),
    Declared(
      headers: ["X-Goog-Hash": "crc32c=\(sums.crc32c),md5=\(zeros)"],
      reason: "The bytes have the md5 \(sums.md5), not"),
    Declared(
      headers: ["X-Goog-Hash": "crc32c=AAAAAA=="], reason: "The bytes have the crc32c \(sums.crc32c), not"),
    Declared(member: #""md5Hash": "\#(zeros)""#, reason: "The bytes have the md5 \(sums.md5), not"),
    Declared(member: #""crc32c": "AAAAAA==""#, reason: "The bytes have the crc32c \(sums.crc32c), not"),
    Declared(
      headers: ["X-Goog-Hash": "md5=\(sums.md5)"], member: #""md5Hash": "\#(zeros)""#,
      reason: "declares two values of md5"),
    Declared(
      headers: ["X-Goog-Hash": "crc32c=AAAAAA==,crc32c=\(sums.crc32c)"],
      reason: "declares two values of crc32c"),
    Declared(headers: ["X-Goog-Hash": "sha256=\(zeros)"], reason: "the host compares crc32c and md5"),
    Declared(headers: ["X-Goog-Hash": "md5=\(zeros)\(zeros)"], reason: "The md5 is not sixteen bytes"),
    Declared(headers: ["Content-MD5": zeros + zeros], reason: "The md5 is not sixteen bytes"),
  ]

  @Test(arguments: declared)
  func `each checksum is compared in each kind of upload`(declared: Declared) async throws {
    try await RunningHost.run { host throws in
      let metadata = "{\"name\": \"a\"\(declared.member.map { ", \($0)" } ?? "")}"
      func send(_ type: String, _ content: String, _ body: String) throws -> RunningHost.Answer {
        var headers = declared.headers
        headers["Content-Type"] = content
        return try host.send(
          as: .publisher, "POST", "\(RunningHost.uploads)?uploadType=\(type)&name=a", headers: headers,
          body: body)
      }
      let multipart = "--b\r\n\r\n\(metadata)\r\n--b\r\n\r\n\(Self.model)\r\n--b--"
      var answers = ["multipart": try send("multipart", "multipart/related; boundary=b", multipart)]
      if declared.member == nil {
        answers["media"] = try send("media", "application/octet-stream", Self.model)
        let session = try host.begin("a")
        answers["last piece"] = try host.send(
          "PUT", session, headers: declared.headers, body: Array(Self.model.utf8))
        if declared.reason != nil { #expect(try host.send("DELETE", session).status == 499) }
      }
      var begun = try send("resumable", "application/json", metadata)
      if begun.status == 200, let location = begun.headers["location"] {
        let session = String(location.dropFirst("http://127.0.0.1".count))
        begun = try host.piece(session, "bytes 0-99/100", Self.model)
        if declared.reason != nil { #expect(try host.send("DELETE", session).status == 499) }
      }
      answers["begin"] = begun
      for (type, answer) in answers {
        if let reason = declared.reason {
          #expect(answer.status == 400 && answer.body.contains(reason), "\(type): \(answer.body)")
        } else {
          #expect(answer.status == 200, "\(type): \(answer.body)")
          let hasMD5 = answer.body.contains("\"md5Hash\": \"\(Self.sums.md5)\"")
          #expect(hasMD5 == declared.hasMD5, "\(type): \(answer.body)")
        }
      }
      #expect(host.uploadsUnderWay == 0)
      #expect(try host.storedFiles.isEmpty == (declared.reason != nil))
    }
  }

  @Test func `Content-MD5 may be that of a request's body`() async throws {
    try await RunningHost.run { host throws in
      let body = "--b\r\n\r\n{\"name\": \"a\"}\r\n--b\r\n\r\n\(Self.model)\r\n--b--"
      let multipart = try host.send(
        as: .publisher, "POST", "\(RunningHost.uploads)?uploadType=multipart",
        headers: ["Content-Type": "multipart/related; boundary=b", "Content-MD5": RunningHost.md5(body)],
        body: body)
      #expect(multipart.status == 200, "\(multipart.body)")
      let session = try host.begin("a", headers: ["Content-MD5": RunningHost.md5(#"{"name": "a"}"#)])
      for (first, last) in [(0, 39), (40, 99)] {
        let piece = String(Self.model.dropFirst(first).prefix(last + 1 - first))
        func send(_ md5: String) throws -> RunningHost.Answer {
          try host.send(
            "PUT", session, headers: ["Content-Range": "bytes \(first)-\(last)/100", "Content-MD5": md5],
            body: Array(piece.utf8))
        }
        let wrong = try send(Self.zeros)
        #expect(wrong.status == 400 && wrong.body.contains("The bytes have the md5"), "\(wrong.body)")
        #expect(try send(RunningHost.md5(piece)).status == (last == 99 ? 200 : 308))
      }
    }
  }

  @Test func `a version with another digest than declared is rejected`() async throws {
    try await RunningHost.run { host throws in
      let target = "/v1/host/projects/test-project/models/m/versions"
      let zeros = "sha-256=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:"
      let wrong = try host.send(
        as: .publisher, "POST", target, headers: ["Repr-Digest": zeros], body: Self.model)
      #expect(wrong.status == 400)
      Self.expectReason(wrong, "SHA-256", host)
      for md5 in [Self.zeros, RunningHost.md5("other"), String(repeating: "A", count: 25)] {
        let other = try host.send(
          as: .publisher, "POST", target, headers: ["Content-MD5": md5], body: Self.model)
        #expect(other.status == 400 && other.body.contains("md5"), "\(md5): \(other.body)")
      }
      #expect(host.models.catalogue.counts.models == 0 && host.uploadsUnderWay == 0)
      let right = ["Content-MD5": RunningHost.md5(Self.model)]
      #expect(try host.send(as: .publisher, "POST", target, headers: right, body: Self.model).status == 200)
    }
  }
}
#endif
