// SPDX-License-Identifier: Apache-2.0
#if Server
import CryptoExtras
import FoveaCore
import FoveaHTTP
import FoveaHost
import Testing

/// A V4 address with parts changed before or after it is signed.
struct SignedCase: Sendable, CustomTestStringConvertible {
  let id: String
  var path = "/modelhost-test.appspot.com/Firebase/ML/Models/a.tflite"
  var items: [String: String] = [:]
  var method = "GET"
  var host = "127.0.0.1:8080"
  var key = TestKeys.first
  var after = 0.0
  var change: @Sendable (String) -> String = { $0 }
  var code: HostCode? = .forbidden

  var testDescription: String { id }

  /// Path and query, signed as described in Google's documentation of V4.
  func target() throws -> (path: String, query: String) {
    var all = [
      "X-Goog-Algorithm": "GOOG4-RSA-SHA256",
      "X-Goog-Credential":
        "admin-1a2b@modelhost-test.iam.gserviceaccount.com/20261122/auto/storage/goog4_request",
      "X-Goog-Date": "20261122T100000Z", "X-Goog-Expires": "600", "X-Goog-SignedHeaders": "host",
    ]
    all.merge(items) { $1 }
    let query = all.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
      .map { "\($0.key)=\(PercentText.encode($0.value))" }.joined(separator: "&")
    let request = "\(method)\n\(path)\n\(query)\nhost:\(host)\n\nhost\nUNSIGNED-PAYLOAD"
    let date = all["X-Goog-Date"] ?? ""
    let scope = (all["X-Goog-Credential"] ?? "").split(separator: "/").dropFirst().joined(separator: "/")
    let text = "GOOG4-RSA-SHA256\n\(date)\n\(scope)\n\(AppKey.digest(of: request))"
    let key = try _RSA.Signing.PrivateKey(pemRepresentation: key)
    let signature = try key.signature(for: Array(text.utf8), padding: .insecurePKCS1v1_5)
    return (path, change(query + "&X-Goog-Signature=" + Hexadecimal.encode(signature.rawRepresentation)))
  }
}

@Suite struct SignedObjectTests {
  static let cases: [SignedCase] = [
    SignedCase(id: "good", code: nil),
    SignedCase(id: "its last second", after: 599.999, code: nil),
    SignedCase(id: "expired", after: 600, code: .expired),
    SignedCase(id: "expired a day ago", after: 86_400, code: .expired),
    SignedCase(id: "15 minutes ahead", after: -900, code: nil),
    SignedCase(id: "more than 15 minutes ahead", after: -901),
    SignedCase(id: "for 7 days", items: ["X-Goog-Expires": "604800"], code: nil),
    SignedCase(id: "for more than 7 days", items: ["X-Goog-Expires": "604801"]),
    SignedCase(id: "for ages", items: ["X-Goog-Expires": "99999999999999999999"]),
    SignedCase(id: "for no time", items: ["X-Goog-Expires": "0"]),
    SignedCase(id: "for a negative time", items: ["X-Goog-Expires": "-600"]),
    SignedCase(id: "for PUT", method: "PUT"),
    SignedCase(id: "for another host", host: "storage.googleapis.com"),
    SignedCase(id: "for another port", host: "127.0.0.1:8081"),
    SignedCase(id: "signed with another key", key: TestKeys.second),
    SignedCase(id: "another algorithm", items: ["X-Goog-Algorithm": "GOOG4-HMAC-SHA256"]),
    SignedCase(id: "more signed headers", items: ["X-Goog-SignedHeaders": "host;x-goog-acl"]),
    SignedCase(
      id: "an unknown signer",
      items: ["X-Goog-Credential": "a@b.iam.gserviceaccount.com/20261122/auto/storage/goog4_request"]),
    SignedCase(
      id: "the credential of another day",
      items: [
        "X-Goog-Credential":
          "admin-1a2b@modelhost-test.iam.gserviceaccount.com/20261121/auto/storage/goog4_request"
      ]),
    SignedCase(
      id: "the credential of another service",
      items: [
        "X-Goog-Credential":
          "admin-1a2b@modelhost-test.iam.gserviceaccount.com/20261122/auto/compute/goog4_request"
      ]),
    SignedCase(id: "a short credential", items: ["X-Goog-Credential": "admin"]),
    SignedCase(id: "a month 13", items: ["X-Goog-Date": "20261322T100000Z"]),
    SignedCase(id: "another form of date", items: ["X-Goog-Date": "2026-11-22T10:00Z"]),
    SignedCase(id: "no date", items: ["X-Goog-Date": ""]),
    SignedCase(id: "a response's type", items: ["response-content-type": "text/html"], code: nil),
    SignedCase(
      id: "a response's disposition", items: ["response-content-disposition": "attachment; filename=ü+.bin"],
      code: nil),
    SignedCase(id: "the project that pays", items: ["userProject": "a"], code: nil),
    SignedCase(id: "a line break", items: ["response-content-type": "a\r\nb: c"], code: .invalid),
    SignedCase(id: "a further item", items: ["response-cache-control": "no-cache"], code: .invalid),
    SignedCase(
      id: "a response's type after signing", change: { $0 + "&response-content-type=text%2Fhtml" }),
    SignedCase(id: "a further item after signing", change: { $0 + "&a=b" }),
    SignedCase(id: "an item twice", change: { $0 + "&X-Goog-Expires=600" }),
    SignedCase(
      id: "a longer time after signing", change: { $0.replacing("Expires=600", with: "Expires=6000") }),
    SignedCase(
      id: "items in another order", change: { $0.split(separator: "&").reversed().joined(separator: "&") },
      code: nil),
    SignedCase(id: "no signature", change: { $0.split(separator: "&").dropLast().joined(separator: "&") }),
    SignedCase(id: "half a signature", change: { String($0.dropLast(256)) }),
    SignedCase(id: "another signature", change: { $0.dropLast(8) + "00000000" }),
    SignedCase(id: "no query", change: { _ in "" }),
    SignedCase(id: "a name that climbs", path: "/modelhost-test.appspot.com/../x", code: .invalid),
    SignedCase(
      id: "a name that climbs in code", path: "/modelhost-test.appspot.com/%2e%2e%2fx", code: .invalid),
    SignedCase(id: "a name with a backslash", path: "/modelhost-test.appspot.com/..%5cx", code: .invalid),
    SignedCase(id: "a name with a zero", path: "/modelhost-test.appspot.com/a%00.tflite", code: .invalid),
    SignedCase(id: "bad coding", path: "/modelhost-test.appspot.com/a%zz"),
    SignedCase(id: "no name", path: "/modelhost-test.appspot.com/", code: .invalid),
    SignedCase(id: "no bucket", path: "/modelhost-test.appspot.com"),
  ]

  @Test(arguments: cases) func `a URL signed by an account is checked`(_ signed: SignedCase)
    async throws
  {
    let samples = KeySamples()
    let authority = samples.authority([try KeySamples.key()])
    samples.set(seconds: signed.after)
    let (path, query) = try signed.target()
    let found = await code {
      _ = try SignedObjectURL(method: "GET", path: path, query: query, authority: authority)
    }
    #expect(found == signed.code)
    // The address of a source has the same restrictions as a request.
    let source = await code {
      _ = try SourceAddress.object(
        KeySamples.address + path + "?" + query, project: KeySamples.project, authority: authority)
    }
    #expect(source == signed.code)
  }

  @Test(arguments: ["HEAD", "POST", "PUT", "DELETE", "get", ""])
  func `a signed URL is only for GET`(_ method: String) async throws {
    let authority = KeySamples().authority([try KeySamples.key()])
    let (path, query) = try SignedCase(id: "").target()
    #expect(
      await code { _ = try SignedObjectURL(method: method, path: path, query: query, authority: authority) }
        == .forbidden)
  }

  @Test(arguments: [(nil, 0), (300, nil)] as [(Int64?, Int64?)])
  func `a signed URL ends with its key`(expires: Int64?, revoked: Int64?) async throws {
    let samples = KeySamples()
    let authority = samples.authority([try KeySamples.key(expires: expires, revoked: revoked)])
    samples.set(seconds: 300)
    let (path, query) = try SignedCase(id: "").target()
    #expect(
      await code { _ = try SignedObjectURL(method: "GET", path: path, query: query, authority: authority) }
        == .forbidden)
  }

  /// 2026-11-22 19:57:08 UTC, in seconds after the start of ``KeySamples``.
  static let googleMoment = 35_828.0

  @Test func `a signed URL of Google's client is accepted`() throws {
    let samples = KeySamples()
    let authority = samples.authority([try KeySamples.key()])
    samples.set(seconds: Self.googleMoment)
    let object = try SourceAddress.object(
      TestKeys.googleURL, project: KeySamples.project, authority: authority)
    #expect(object.bucket == "modelhost-test.appspot.com")
    #expect(object.name == "Firebase/ML/Models/Flower köpfe (1)+~.tflite")
    samples.set(seconds: Self.googleMoment + 600)
    #expect(throws: HostError.self) {
      try SourceAddress.object(TestKeys.googleURL, project: KeySamples.project, authority: authority)
    }
  }

  @Test(arguments: [
    TestKeys.parametersV4, TestKeys.parametersV2, TestKeys.unsignedParametersV2, TestKeys.allParametersV2,
  ])
  func `a URL of Google's client with parameters of the response is accepted`(query: String) async throws {
    let samples = KeySamples()
    let authority = samples.authority([try KeySamples.key()])
    samples.set(seconds: Self.googleMoment)
    let path = "/modelhost-test.appspot.com/Firebase/ML/Models/a.tflite"
    let signed = try SignedObjectURL(method: "GET", path: path, query: query, authority: authority)
    #expect(signed.parameters.contentType == "text/plain")
    #expect(signed.parameters.contentDisposition == "attachment; filename=\"Köpfe 1+1.bin\"")
    // Another signature, and another method.
    for (method, query) in [("GET", query.replacing("Signature=", with: "Signature=0")), ("HEAD", query)] {
      #expect(
        await code { _ = try SignedObjectURL(method: method, path: path, query: query, authority: authority) }
          == .forbidden)
    }
    samples.set(seconds: Self.googleMoment + 600)
    #expect(
      await code { _ = try SignedObjectURL(method: "GET", path: path, query: query, authority: authority) }
        == .expired)
  }

  @Test func `a key of another project names nothing here`() async throws {
    let authority = KeySamples().authority([try KeySamples.key()])
    let (path, query) = try SignedCase(id: "").target()
    let text = KeySamples.address + path + "?" + query
    #expect(
      await code { _ = try SourceAddress.object(text, project: "another-project", authority: authority) }
        == .notFound)
  }
}
#endif
