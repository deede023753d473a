// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

/// The examples of "Signature Calculations for the Authorization Header" and "Authenticating Requests: Using
/// Query Parameters" in the Amazon S3 API Reference.
@Suite struct S3SignatureTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var method = "GET"
    let path: String
    var query: [String: String] = [:]
    var headers: [String: String] = [:]
    var body = ""
    let signature: String
  }

  static let signature = S3Signature(
    credentials: S3Credentials(
      key: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", token: nil),
    region: "us-east-1", time: Timestamp(milliseconds: 1_369_353_600_000))
  static let host = "examplebucket.s3.amazonaws.com"

  @Test(arguments: [
    Example(
      testDescription: "a range of an object", path: "/test.txt", headers: ["range": "bytes=0-9"],
      signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
    Example(
      testDescription: "writing an object", method: "PUT", path: "/test%24file.text",
      headers: ["date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"],
      body: "Welcome to Amazon S3.",
      signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
    Example(
      testDescription: "a query without a value", path: "/", query: ["lifecycle": ""],
      signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
    Example(
      testDescription: "a list", path: "/", query: ["prefix": "J", "max-keys": "2"],
      signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
  ])
  func `a request has the published signature`(example: Example) {
    var headers = example.headers
    headers["host"] = Self.host
    let signed = Self.signature.headers(
      example.method, example.path, query: example.query, headers: headers,
      digest: S3Signature.digest(example.body))
    #expect(signed["x-amz-date"] == "20130524T000000Z")
    #expect(signed["authorization"]?.hasSuffix("Signature=" + example.signature) == true, "\(signed)")
  }

  @Test func `an address has the published signature`() {
    let query = Self.signature.query("/test.txt", host: Self.host, lifetime: 86_400)
    #expect(
      query == "X-Amz-Algorithm=AWS4-HMAC-SHA256"
        + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
        + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
        + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
  }

  @Test func `the token of a key is signed`() {
    let credentials = S3Credentials(key: "K", secret: "S", token: "T/=")
    let signature = S3Signature(
      credentials: credentials, region: "us-east-1", time: Timestamp(milliseconds: 0))
    let signed = signature.headers(
      "GET", "/", query: [:], headers: ["host": "h"], digest: S3Signature.emptyDigest)
    #expect(signed["x-amz-security-token"] == "T/=")
    #expect(signed["authorization"]?.contains("x-amz-date;x-amz-security-token,") == true)
    #expect(signature.query("/a", host: "h", lifetime: 1).contains("X-Amz-Security-Token=T%2F%3D&"))
  }
}

@Suite struct S3AddressTests {
  struct Given: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let host: String
    var path = "/models/prod/a"

    init(_ text: String, host: String, path: String = "/models/prod/a") {
      (testDescription, self.host, self.path) = (text, host, path)
    }
  }

  @Test(arguments: [
    Given("s3://models/prod?endpoint=https://s3.example", host: "s3.example"),
    Given("s3://models//prod/?endpoint=https://s3.example:443/&region=eu-west-1", host: "s3.example"),
    Given("s3://models/prod?endpoint=http%3A%2F%2F127.0.0.1:8333", host: "127.0.0.1:8333"),
    Given("s3://models/prod?endpoint=http://[::1]:80", host: "[::1]"),
    Given("s3://models/prod?endpoint=http://[::1:80]", host: "[::1:80]"),
    Given("s3://models?endpoint=https://s3.example", host: "s3.example", path: "/models/a"),
    Given("s3://models/a/b.c_d?endpoint=https://s3.example", host: "s3.example", path: "/models/a/b.c_d/a"),
  ])
  func `an address is read`(given: Given) throws {
    let address = try S3Address(given.testDescription)
    #expect(address.host == given.host && address.path("a") == given.path)
    #expect(try S3Address(address.text) == address)
  }

  @Test(arguments: [
    ("", "does not start with s3://"), ("https://s3.example", "does not start with s3://"),
    ("S3://models?endpoint=https://h", "does not start with s3://"),
    ("s3://", "names no bucket"), ("s3:///prod?endpoint=https://h", "names no bucket"),
    ("s3://ab?endpoint=https://h", "3 to 63"), ("s3://Models?endpoint=https://h", "3 to 63"),
    ("s3://models", "names no endpoint"), ("s3://models?region=a", "names no endpoint"),
    ("s3://models?endpoint=", "is not one endpoint"), ("s3://models?endpoint=ftp://h", "https:// or http://"),
    ("s3://models?endpoint=https://", "a scheme, a host"),
    ("s3://models?endpoint=https://u:p@h", "a scheme, a host"),
    ("s3://models?endpoint=https://h/path", "a scheme, a host"),
    ("s3://models?endpoint=https://h%0d%0aX:1", "a scheme, a host"),
    ("s3://models/a/../b?endpoint=https://h", "prefix"), ("s3://models/a%20b?endpoint=https://h", "prefix"),
    ("s3://models?endpoint=https://h&region=a/b", "region"),
    ("s3://models?endpoint=https://h&endpoint=https://i", "is not one endpoint"),
    ("s3://models?endpoint=https://h&through=1", "is not one endpoint"),
  ])
  func `a wrong address is refused with its wrong part`(text: String, part: String) {
    let error = #expect(throws: HostError.self) { try S3Address(text) }
    #expect(error?.code == .invalid && error?.message.contains(part) == true, "\(error?.message ?? "")")
  }
}

@Suite struct S3CredentialTests {
  private static func read(_ text: String, profile: String = "default") throws -> S3Credentials {
    let folder = try TemporaryFolder()
    try folder.write("credentials", text)
    return try S3CredentialPlace.file(folder["credentials"], profile: profile).read()
  }

  @Test func `a profile of a file is read`() throws {
    let text = """
      # aws_access_key_id = no
      [other]
      aws_access_key_id=O
      aws_secret_access_key=P
      aws_session_token=Q=
      [default]
        AWS_ACCESS_KEY_ID = A
      aws_secret_access_key = b=/+
      """
    #expect(try Self.read(text) == S3Credentials(key: "A", secret: "b=/+", token: nil))
    #expect(try Self.read(text, profile: "other") == S3Credentials(key: "O", secret: "P", token: "Q="))
  }

  @Test(arguments: [
    ("", "has no aws_access_key_id"), ("[default]\naws_access_key_id=A", "has no aws_secret_access_key"),
    ("[other]\naws_access_key_id=A\naws_secret_access_key=B", "has no aws_access_key_id"),
    ("[default]\naws_access_key_id=A\naws_secret_access_key=SECRET X", "beyond ASCII"),
  ])
  func `an incomplete file is refused without its secrets`(text: String, part: String) {
    let error = #expect(throws: HostError.self) { try Self.read(text) }
    #expect(error?.code == .invalid && error?.message.contains(part) == true)
    #expect(error?.description.contains("SECRET") == false)
  }

  @Test func `a missing file is named`() {
    let error = #expect(throws: HostError.self) { try S3CredentialPlace.file("/no/such").read() }
    #expect(error?.subject == "/no/such" && error?.code == .invalid)
  }
}
#endif
