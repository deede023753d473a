// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaModels

/// The answer of an S3 server, or the failure to get one.
struct S3Reply: Sendable {
  let outcome: HTTPTransfer.Outcome
  let body: [UInt8]
  let sums: BlobSums

  var status: Int { outcome.head.status }
  var isSuccess: Bool { outcome.result == .ok && (200...299).contains(status) && code == nil }
  /// The tag of the object's bytes, which changes when they are written again; empty if there is none.
  var tag: String { outcome.head.rawTag ?? "" }

  /// The code of an error; an answer with status 200 may have one, too: its head was sent before the end was
  /// known.
  var code: String? {
    let text = text
    guard text.contains("<Error>") else { return nil }
    return S3XML.value("Code", in: text).map(String.init)
  }

  var text: String { String(decoding: body, as: UTF8.self) }

  /// Whether the same request may succeed a moment later.
  var isTransient: Bool {
    if let code, ["RequestTimeout", "InternalError", "SlowDown", "OperationAborted"].contains(code) {
      return true
    }
    return status != 501 && outcome.isTransient
  }

  /// The error of a request that failed.
  ///
  /// Clients of the host may see message and remedy, so the endpoint and the bucket are only in the subject.
  func error(at address: S3Address) -> HostError {
    let (message, remedy) = isAnswered ? refusal : failure
    return HostError(
      .unavailable, message, remedy: remedy,
      subject: "\(address.text)\(isAnswered ? "" : " (\(outcome.message))")")
  }

  private var isAnswered: Bool { status > 0 && outcome.result == .ok }

  private var failure: (String, Advice) {
    switch outcome.result {
    case .unreachable, .connectTimeout, .wrongURL:
      (
        "The store of files cannot be reached",
        "Check the endpoint of \(flag: "blobs"), the server and the network"
      )
    case .notSecure:
      (
        "The certificate of the store of files is not valid",
        "Check the endpoint of \(flag: "blobs"), and \(HTTPTransfer.certificatesVariable()) for an authority"
          + " of your own"
      )
    default: ("The store of files ended the connection", "Check the server and the network, then try again")
    }
  }

  private var refusal: (String, Advice) {
    let start = text.prefix(200).lowercased()
    if start.contains("<!doctype html") || start.contains("<html") {
      return (
        "The store of files answered \(status) with a page in HTML, which no S3 server does",
        "Check the endpoint of \(flag: "blobs"), and proxies on the way to it"
      )
    }
    if let known = Self.known(code ?? "") { return known }
    switch status {
    case 200...299 where code == nil:
      return (
        "The store of files answered \(status) without what an S3 server sends",
        "Check the endpoint of \(flag: "blobs"), and proxies on the way to it"
      )
    case 300...399,
      400 where code == "AuthorizationHeaderMalformed" || code == "IllegalLocationConstraint":
      let region = S3XML.value("Region", in: text).map { ", \($0.prefix(63))" } ?? ""
      return ("The bucket is in another region\(region)", "Add region=… to the address of \(flag: "blobs")")
    case 403: return Self.denied
    case 404:
      return ("The store of files has no such bucket or object", "Check the address of \(flag: "blobs")")
    case 429, 503: return ("The store of files is busy", "Try again in a few seconds")
    default:
      return (
        "The store of files answered \(status)\(code.map { " " + $0.prefix(60) } ?? "")",
        "Read the server's log"
      )
    }
  }

  private static let denied: (String, Advice) = (
    "The key may not use the bucket",
    "Grant it GetObject, PutObject, DeleteObject, AbortMultipartUpload and ListBucket"
  )

  private static func known(_ code: String) -> (String, Advice)? {
    switch code {
    case "NoSuchBucket":
      ("The bucket does not exist", "Create it, or correct the address of \(flag: "blobs")")
    case "InvalidAccessKeyId":
      (
        "The store of files does not know the key",
        "Check AWS_ACCESS_KEY_ID, or the file of \(flag: "blobs-credentials")"
      )
    case "SignatureDoesNotMatch":
      ("The store of files refused the signature", "Check AWS_SECRET_ACCESS_KEY and the region")
    case "ExpiredToken", "InvalidToken", "TokenRefreshRequired":
      ("The key of the store of files has expired", "Set a new key and AWS_SESSION_TOKEN")
    case "RequestTimeTooSkewed":
      ("The clocks of the host and of the store of files differ too much", "Set the clock of this machine")
    case "AccessDenied": denied
    default: nil
    }
  }
}

/// Reads the answers of S3 servers, whose elements have neither attributes nor mixed content.
enum S3XML {
  /// Returns the text of the first element of a name; nil if there is none.
  static func value(_ name: String, in text: some StringProtocol) -> Substring? {
    let text = Substring(text)
    guard let start = text.firstRange(of: "<\(name)>")?.upperBound,
      let end = text[start...].firstRange(of: "</\(name)>")?.lowerBound
    else { return nil }
    return text[start..<end]
  }

  /// Returns a key without the references of XML.
  static func plain(_ text: Substring) -> String {
    let marks = [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&apos;", "'"), ("&amp;", "&"),
    ]
    return marks.reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
  }
}
#endif
