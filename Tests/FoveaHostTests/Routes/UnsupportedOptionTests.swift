// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import FoveaTesting
import Testing

/// Options of uploads that the host does not have.
@Suite struct UnsupportedOptionTests {
  private static let model = UploadTests.model

  @Test(
    arguments: [
      ("", [:], nil),
      ("", ["x-goog-encryption-algorithm": "AES256"], "x-goog-encryption-algorithm"),
      ("", ["X-Goog-Encryption-Key": "a2V5"], "x-goog-encryption-key"),
      ("", ["x-goog-encryption-kms-key-name": "k"], "x-goog-encryption-kms-key-name"),
      ("", ["x-goog-acl": "public-read"], "x-goog-acl"), ("", ["x-goog-acl": "project-private"], nil),
      ("", ["x-goog-meta-note": "any"], nil),
      ("", ["x-goog-object-lock-mode": "GOVERNANCE"], "x-goog-object-lock-mode"),
      (
        "", ["X-Goog-Object-Lock-Retain-Until-Date": "2030-01-01T00:00:00Z"],
        "x-goog-object-lock-retain-until-date"
      ),
      ("", ["x-goog-copy-source": "/other/b"], "x-goog-copy-source"),
      ("", ["x-goog-content-length-range": "0,1"], "x-goog-content-length-range"),
      ("&contentEncoding=gzip", [:], "contentEncoding"), ("&contentEncoding=identity", [:], nil),
      ("&contentEncoding=", [:], nil),
      ("&kmsKeyName=projects/p/k", [:], "kmsKeyName"), ("&kmsKeyName=", [:], "kmsKeyName"),
      ("&predefinedAcl=publicRead", [:], "predefinedAcl"), ("&predefinedAcl=private", [:], "predefinedAcl"),
      ("&predefinedAcl=projectPrivate", [:], nil), ("&projection=full", [:], nil),
    ] as [(String, [String: String], String?)])
  func `an option that protects or shares an object is refused by its name`(
    query: String, headers: [String: String], name: String?
  ) async throws {
    try await RunningHost.run { host throws in
      for (type, body) in [
        ("media", Self.model), ("resumable", #"{"name": "a"}"#),
        ("multipart", "--b\r\n\r\n{\"name\": \"a\"}\r\n--b\r\n\r\n\(Self.model)\r\n--b--"),
      ] {
        var headers = headers
        headers["Content-Type"] = type == "multipart" ? "multipart/related; boundary=b" : "application/json"
        let target = "\(RunningHost.uploads)?uploadType=\(type)&name=a\(query)"
        try Self.expect(host.send(as: .publisher, "POST", target, headers: headers, body: body), name, type)
      }
      if name != nil { #expect(host.uploadSizes.isEmpty) }
    }
  }

  @Test(
    arguments: [
      (#""kmsKeyName": "k""#, "kmsKeyName"), (#""kmsKeyName": null"#, nil), (#""acl": []"#, "acl"),
      (#""customerEncryption": {"encryptionAlgorithm": "AES256"}"#, "customerEncryption"),
      (#""retention": {"mode": "Locked"}"#, "retention"), (#""contentType": "text/plain""#, nil),
      (#""temporaryHold": true"#, "temporaryHold"), (#""temporaryHold": false"#, nil),
      (#""temporaryHold": null"#, nil), (#""eventBasedHold": true"#, "eventBasedHold"),
      (#""eventBasedHold": false"#, nil), (#""contentEncoding": "gzip""#, "contentEncoding"),
      (#""contentEncoding": "identity""#, nil), (#""contentEncoding": """#, nil),
    ] as [(String, String?)])
  func `an option in the metadata is refused by its name`(member: String, name: String?) async throws {
    try await RunningHost.run { host throws in
      let metadata = "{\"name\": \"a\", \(member)}"
      for (type, body) in [
        ("resumable", metadata),
        ("multipart", "--b\r\n\r\n\(metadata)\r\n--b\r\n\r\n\(Self.model)\r\n--b--"),
      ] {
        let content = type == "multipart" ? "multipart/related; boundary=b" : "application/json"
        let answer = try host.send(
          as: .publisher, "POST", "\(RunningHost.uploads)?uploadType=\(type)",
          headers: ["Content-Type": content], body: body)
        Self.expect(answer, name, type)
      }
    }
  }

  @Test(
    arguments: [
      ("", "x-goog-encryption-algorithm", "AES256", true), ("", "X-Goog-Encryption-Key", "a2V5", true),
      ("", "x-goog-encryption-key-sha256", "c3Vt", true), ("", "x-goog-acl", "public-read", true),
      ("", "x-goog-object-lock-mode", "GOVERNANCE", true), ("", "x-goog-copy-source", "/other/b", true),
      ("", "x-goog-content-length-range", "0,1", true), ("", "x-goog-acl", "project-private", false),
      ("&kmsKeyName=projects/p/k", "x-goog-meta-note", "any", true), ("", "x-goog-meta-note", "any", false),
    ] as [(String, String, String, Bool)])
  func `an option that only a later part of a resumable upload has is refused, and the upload goes on`(
    query: String, header: String, value: String, isRefused: Bool
  ) async throws {
    try await RunningHost.run { host throws in
      let session = try host.begin("a")
      #expect(try host.piece(session, "bytes 0-39/100", String(Self.model.prefix(40))).status == 308)
      let last = String(Self.model.dropFirst(40))
      for isRepeated in [false, true] {
        let answer = try host.send(
          "PUT", session + query, headers: ["Content-Range": "bytes 40-99/100", header: value],
          body: Array(last.utf8))
        let name = isRefused ? (query.isEmpty ? header.lowercased() : "kmsKeyName") : nil
        Self.expect(answer, name, "isRepeated: \(isRepeated)")
      }
      if isRefused {
        let state = try host.piece(session, "bytes */100")
        #expect(state.status == 308 && state.headers["range"] == "bytes=0-39")
        #expect(try host.storedFiles.isEmpty)
      }
      #expect(try host.piece(session, "bytes 40-99/100", last).status == 200)
    }
  }

  private static func expect(_ answer: RunningHost.Answer, _ name: String?, _ type: String) {
    #expect(answer.status == (name == nil ? 200 : 400), "\(type): \(answer.body)")
    if let name { #expect(answer.body.contains("The upload has '\(name)'"), "\(type): \(answer.body)") }
  }
}
#endif
