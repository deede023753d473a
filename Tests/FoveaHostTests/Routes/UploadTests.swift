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
      #expect(try host.models.blobs.all().count == 1)
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
      #expect(try host.models.blobs.all().isEmpty)
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
      #expect(try host.models.blobs.all().isEmpty)
      let right = try host.send(
        as: .publisher, "POST", target,
        headers: ["X-Goog-Hash": "crc32c=\(RunningHost.checksum(Self.model))"], body: Self.model)
      #expect(right.status == 200 && right.body.contains(RunningHost.checksum(Self.model)))
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
      #expect(host.models.catalogue.counts.models == 0)
      #expect(try host.send(as: .publisher, "POST", target, body: Self.model).status == 200)
    }
  }
}
#endif
