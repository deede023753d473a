// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import FoveaHost
import FoveaTesting
import Testing

/// Objects of the bucket as `google-cloud-storage` reads, lists and deletes them.
@Suite struct ObjectRouteTests {
  private static let bucket = "/storage/v1/b/\(RunningHost.bucket)"
  private static let object = "\(bucket)/o/Firebase%2FML%2FModels%2Fa.tflite"
  private static let name = "Firebase/ML/Models/a.tflite"
  private static let model = UploadTests.model

  /// A text member of a response's JSON.
  private static func member(_ name: String, _ answer: RunningHost.Answer) throws -> String {
    let start = try #require(answer.body.firstRange(of: "\"\(name)\": \"")?.upperBound, "\(answer.body)")
    return String(answer.body[start...].prefix { $0 != "\"" })
  }

  @Test func `an object exists after its upload, is read whole and in parts, and deleted`() async throws {
    try await RunningHost.run { host throws in
      #expect(try host.send(as: .viewer, "GET", Self.object + "?fields=name").status == 404)
      let made = try host.upload(Self.name, Self.model)
      let found = try host.send(as: .viewer, "GET", Self.object + "?projection=noAcl")
      #expect(found.status == 200 && found.body == made.body)
      for target in ["/download\(Self.object)?alt=media", "\(Self.object)?alt=media"] {
        let read = try host.send(as: .viewer, "GET", target)
        #expect(read.status == 200 && read.body == Self.model)
        #expect(read.headers["x-goog-hash"] == "crc32c=\(RunningHost.checksum(Self.model))")
        #expect(try read.headers["x-goog-generation"] == Self.member("generation", made))
        #expect(read.headers["cache-control"] == "private, no-cache")
        let part = try host.send(as: .viewer, "GET", target, headers: ["Range": "bytes=4-7"])
        #expect(part.status == 206 && part.body == "TFL3")
      }
      #expect(try host.send(as: .viewer, "DELETE", Self.object).status == 403)
      #expect(try host.send(as: .publisher, "DELETE", Self.object).status == 204)
      for (method, target) in [
        ("GET", Self.object), ("GET", "/download" + Self.object), ("DELETE", Self.object),
      ] {
        let gone = try host.send(as: .publisher, method, target)
        #expect(gone.status == 404, "\(method) \(target)")
        #expect(gone.body.contains("No such object: \(RunningHost.bucket)/\(Self.name)"), "\(gone.body)")
      }
      let other = try host.send(as: .viewer, "GET", "/storage/v1/b/another-bucket/o")
      #expect(other.status == 404 && other.body.contains("bucket does not exist"))
    }
  }

  @Test func `objects are listed by prefix, part and page`() async throws {
    try await RunningHost.run { host throws in
      for name in ["a/1", "a/2", "a/b/3", "b", "c/4", "d"] { _ = try host.upload(name, Self.model + name) }
      func list(_ query: String) throws -> (names: [String], prefixes: [String], next: String?) {
        let answer = try host.send(as: .viewer, "GET", "\(Self.bucket)/o\(query)")
        #expect(answer.status == 200, "\(answer.body)")
        let names = answer.body.matches(of: /"name": "([^"]*)"/).map { String($0.1) }
        let prefixes =
          answer.body.firstMatch(of: /"prefixes": \[([^\]]*)\]/)
          .map { $0.1.split(separator: ", ").map { $0.filter { $0 != "\"" } } } ?? []
        return (
          names, prefixes, answer.body.firstMatch(of: /"nextPageToken": "([^"]*)"/).map { String($0.1) }
        )
      }
      #expect(try list("").names == ["a/1", "a/2", "a/b/3", "b", "c/4", "d"])
      #expect(try list("?prefix=a/").names == ["a/1", "a/2", "a/b/3"])
      #expect(try list("?prefix=nothing").names == [])
      #expect(try list("?startOffset=a/b&endOffset=c/4").names == ["a/b/3", "b"])
      let parts = try list("?delimiter=/")
      #expect(parts.names == ["b", "d"] && parts.prefixes == ["a/", "c/"])
      let below = try list("?delimiter=/&prefix=a/")
      #expect(below.names == ["a/1", "a/2"] && below.prefixes == ["a/b/"])
      // Each once, on any page.
      for size in 1...4 {
        var (names, prefixes, token): ([String], [String], String?) = ([], [], nil)
        repeat {
          let page = try list(
            "?delimiter=/&maxResults=\(size)" + (token.map { "&pageToken=\(PercentText.encode($0))" } ?? "")
          )
          #expect(page.names.count + page.prefixes.count <= size)
          names += page.names
          prefixes += page.prefixes
          token = page.next
        } while token != nil
        #expect(names == ["b", "d"] && prefixes == ["a/", "c/"], "pages of \(size)")
      }
      for query in [
        "maxResults=0", "maxResults=x", "pageToken=!", "versions=true", "matchGlob=*", "softDeleted=true",
      ] {
        #expect(try host.send(as: .viewer, "GET", "\(Self.bucket)/o?\(query)").status == 400, "\(query)")
      }
      #expect(try list("?versions=false&userProject=x&prettyPrint=false").names.count == 6)
    }
  }

  @Test func `each precondition holds, for every way to write, read and remove`() async throws {
    try await RunningHost.run { host throws in
      func media(_ query: String, _ text: String = Self.model) throws -> RunningHost.Answer {
        try host.send(
          as: .publisher, "POST", "\(RunningHost.uploads)?uploadType=media&name=\(Self.name)&\(query)",
          body: text)
      }
      func multipart(_ query: String) throws -> RunningHost.Answer {
        try host.send(
          as: .publisher, "POST", "\(RunningHost.uploads)?uploadType=multipart&\(query)",
          headers: ["Content-Type": "multipart/related; boundary=b"],
          body: "--b\r\n\r\n{\"name\": \"\(Self.name)\"}\r\n--b\r\n\r\n\(Self.model)\r\n--b--")
      }
      func begin(_ query: String) throws -> RunningHost.Answer {
        try host.send(
          as: .publisher, "POST", "\(RunningHost.uploads)?uploadType=resumable&\(query)",
          body: "{\"name\": \"\(Self.name)\"}")
      }
      #expect(try media("ifGenerationMatch=5").status == 412)
      #expect(try media("ifGenerationNotMatch=0").status == 412)
      let first = try Self.member("generation", media("ifGenerationMatch=0"))
      for answer in [
        try media("ifGenerationMatch=0", "other"), try multipart("ifGenerationMatch=0"),
        try begin("ifGenerationMatch=0"),
        try media("ifGenerationNotMatch=\(first)", "other"), try media("ifMetagenerationMatch=2", "other"),
      ] {
        #expect(answer.status == 412, "\(answer.body)")
        #expect(answer.body.contains("At least one of the pre-conditions you specified did not hold."))
      }
      #expect(host.uploadsUnderWay == 0)
      #expect(try host.send(as: .viewer, "GET", "/download\(Self.object)").body == Self.model)
      // An upload started in time meets a quicker one.
      let session = try #require(try begin("ifGenerationMatch=\(first)").headers["location"])
      let second = try Self.member("generation", multipart("ifGenerationMatch=\(first)"))
      #expect(Int64(second) ?? 0 > Int64(first) ?? 0)
      let late = try host.send(
        "PUT", String(session.dropFirst("http://127.0.0.1".count)), body: Array("late".utf8))
      #expect(late.status == 412, "\(late.body)")
      // Reading.
      for (query, headers, status) in [
        ("ifGenerationMatch=\(second)", [:], 200), ("ifGenerationMatch=\(first)", [:], 412),
        ("ifGenerationNotMatch=\(second)", [:], 304), ("ifGenerationNotMatch=\(first)", [:], 200),
        ("ifMetagenerationMatch=1", [:], 200), ("ifMetagenerationNotMatch=1", [:], 304),
        ("generation=\(second)", [:], 200), ("generation=\(first)", [:], 404),
        ("generation=x", [:], 400), ("generation=-1", [:], 400), ("generation=", [:], 400),
        ("ifGenerationMatch=x", [:], 400),
        ("", ["If-Match": "other"], 412), ("", ["If-Match": "*"], 200),
      ] as [(String, [String: String], Int)] {
        for target in [Self.object, "/download\(Self.object)"] {
          let answer = try host.send(as: .viewer, "GET", "\(target)?\(query)", headers: headers)
          #expect(answer.status == status, "\(target) \(query) \(headers): \(answer.status)")
        }
      }
      let tag = try Self.member("etag", host.send(as: .viewer, "GET", Self.object))
      #expect(try host.send(as: .viewer, "GET", Self.object, headers: ["If-Match": tag]).status == 200)
      #expect(try host.send(as: .viewer, "GET", Self.object, headers: ["If-None-Match": tag]).status == 304)
      // Deletion.
      #expect(
        try host.send(as: .publisher, "DELETE", "\(Self.object)?ifGenerationMatch=\(first)").status == 412)
      #expect(
        try host.send(as: .publisher, "DELETE", "\(Self.object)?ifGenerationMatch=\(second)").status == 204)
    }
  }

  @Test(arguments: [
    // The tag as the host wrote it, as HTTP writes it, in a list, weak, and others.
    ("If-Match", "TAG", 200), ("If-Match", "\"TAG\"", 200), ("If-Match", "other, TAG", 200),
    ("If-Match", "*", 200), ("If-Match", "W/\"TAG\"", 412), ("If-Match", "other", 412),
    ("If-Match", "\"other\"", 412),
    ("If-None-Match", "TAG", 304), ("If-None-Match", "\"TAG\"", 304), ("If-None-Match", "other, TAG", 304),
    ("If-None-Match", "*", 304), ("If-None-Match", "W/\"TAG\"", 304), ("If-None-Match", "other", 200),
    ("If-None-Match", "\"other\"", 200),
  ])
  func `an object's own tag is compared for its metadata and its bytes`(
    header: String, value: String, status: Int
  ) async throws {
    try await RunningHost.run { host throws in
      let tag = try Self.member("etag", host.upload(Self.name, Self.model))
      let headers = [header: value.replacing("TAG", with: tag)]
      for target in [Self.object, "\(Self.object)?alt=media", "/download\(Self.object)?alt=media"] {
        let answer = try host.send(as: .viewer, "GET", target, headers: headers)
        #expect(answer.status == status, "\(target)")
        if status == 412 { #expect(answer.body.contains("pre-conditions"), "\(target): \(answer.body)") }
      }
      let media = try host.send(as: .viewer, "GET", "/download\(Self.object)", headers: headers)
      #expect(status == 412 || media.headers["cache-control"] == "private, no-cache")
    }
  }

  @Test func `an object whose bytes were withdrawn does not exist`() async throws {
    try await RunningHost.run { host throws in
      _ = try host.upload(Self.name, Self.model)
      let versions = "/v1/host/projects/test-project/models/m/versions"
      #expect(try host.send(as: .publisher, "POST", versions, body: Self.model).status == 200)
      #expect(try host.send(as: .publisher, "POST", "\(versions)/1:withdraw").status == 200)
      #expect(try host.send(as: .viewer, "GET", Self.object).status == 404)
      #expect(try !host.send(as: .viewer, "GET", "\(Self.bucket)/o").body.contains("items"))
    }
  }
}
#endif
