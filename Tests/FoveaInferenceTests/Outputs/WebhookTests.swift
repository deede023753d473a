// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaModels
import FoveaTesting
import FoveaTracking
import Testing

@testable import FoveaInference

@Suite struct WebhookTests {
  /// The key of Standard Webhooks' own tests, 24 bytes.
  private static let digits = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

  /// **Source:** the test "sign" of the libraries of Standard Webhooks.
  @Test(arguments: ["whsec_", ""])
  func `a signature is that of Standard Webhooks`(_ prefix: String) throws {
    let secret = try #require(WebhookSecret(prefix + Self.digits))
    let signature = secret.signature(
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: Array(#"{"test": 2432232314}"#.utf8)
    )
    #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  }

  @Test(arguments: [
    "", "whsec_", "whsec_whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "not base64!",
    "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS",
    // 23 bytes.
    "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaQ=", "Zm92ZWE=",
  ])
  func `a text that is not base64 of 24 bytes is not a secret`(_ text: String) {
    #expect(WebhookSecret(text) == nil)
  }

  /// A file, its permissions, and the error.
  @Test(
    arguments: [
      ("\(digits)", 0o600, nil), ("whsec_\(digits)\n", 0o400, nil), ("\(digits)\r\n\n", 0o600, nil),
      ("\(digits)", 0o640, "Other users can read the secret of a web hook in 'PATH'"),
      ("\(digits)", 0o604, "Other users can read the secret of a web hook in 'PATH'"),
      (
        "", 0o600, "The secret of a web hook in 'PATH' is not one line of text"
      ),
      (
        "\(digits)\n\(digits)\n", 0o600,
        "The secret of a web hook in 'PATH' is not one line of text"
      ),
      (
        "hunter2", 0o600, "'PATH' is not the secret of a web hook: base64 of 24 bytes or more"
      ),
    ] as [(String, mode_t, String?)])
  func `a file has a secret, and only its owner can read it`(
    _ text: String, _ permissions: mode_t, _ message: String?
  ) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("hook.secret", text)
    try #require(unsafe chmod(path, permissions) == 0)
    var hook = try Webhook("https://example.org/hook")
    hook.secretFile = path
    do throws(FoveaError) {
      try Webhook.check([hook], sources: [])
      #expect(message == nil)
    } catch {
      #expect(
        error.message == message?.replacing("PATH", with: path) && error.code.rawValue == "option-invalid")
    }
  }

  @Test func `a missing secret ends the start`() throws {
    var hook = try Webhook("https://example.org/hook")
    hook.secretFile = "/nowhere/hook.secret"
    let error = #expect(throws: FoveaError.self) { try Webhook.check([hook], sources: []) }
    #expect(
      error?.message
        == "The secret of a web hook in '/nowhere/hook.secret' cannot be read: No such file or directory")
  }

  /// The end of an error's message, and addresses for which it is true.
  @Test(
    arguments: [
      (
        "is not an address with https:// or http://",
        ["", "example.org", "ftp://example.org/", "file:///etc/passwd", "//example.org", "example.org/#a"]
      ),
      ("has no host", ["https://", "https:///hook", "http://?a", "https://user@", "https://user:secret@/"]),
      (
        "another character that no address has",
        [
          "https://example.org/a b", "https://example.org/\r\nX: y", "https://exämple.org/", "http://ä/",
          "https://h/ä",
        ]
      ),
      (
        "has a '#', which is never sent", ["https://example.org/#a", "http://h#frag", "https://u:se#cret@h/"]
      ),
      ("has more than 2000 bytes", ["https://h/" + String(repeating: "a", count: 2_000)]),
      (
        "has an '@' or a control character",
        [
          "http://user:p@ss@h/", "https://a@b:secret@h/", "https://user:%00secret@h/", "https://%0A@h/",
        ]
      ),
    ] as [(String, [String])])
  func `an address that cannot work is refused for its own reason, without its text`(
    _ end: String, _ urls: [String]
  ) {
    for url in urls {
      let error = #expect(throws: FoveaError.self) { try Webhook(url) }
      #expect(error?.message.hasSuffix(end) == true, "\(url): \(error?.message ?? "")")
      #expect(error?.code.rawValue == "option-invalid")
      #expect(error.map { "\($0)".contains("secret") } == false)
    }
  }

  @Test(arguments: [
    "http://127.0.0.1:99999/", "http://127.0.0.1:65536", "http://h:0/", "https://h:abc/hook", "http://h:-1/",
    "http://h:+1/", "http://h:/", "http://h:1:2/", "http://[::1/", "http://[::1]:0/", "http://::1/",
    "http://[h]:80/", "http://:80/", "https://user:secret@h:99999/", "https://user:secret@:443/",
    "http://[::g]/", "http://[127.0.0.1]/", "http://[1:2:3]/", "http://h%00/", "http://h%2E/", "http://h,i/",
    "https://user:a/b@h/",
  ])
  func `an impossible host or port is refused without the address`(_ url: String) {
    let error = #expect(throws: FoveaError.self) { try Webhook(url) }
    #expect(error?.message == "The address of a web hook has an invalid host or port")
    #expect(error?.code.rawValue == "option-invalid")
    #expect(error?.remedy.description.contains("a port from 1 to 65535") == true)
  }

  @Test(arguments: [
    "http://h:1/", "https://h:65535", "http://[::1]/", "http://[fe80::1%25eth0]:80/", "https://h?key=1:2",
    "https://user:99999@h/", "https://h_1.internal/",
  ])
  func `a host may have a port from 1 to 65535`(_ url: String) throws { _ = try Webhook(url) }

  private static let long = String(repeating: "a", count: 300)

  /// An address, its name without the sum, and its host.
  @Test(arguments: [
    ("https://example.org/hook", "webhook-example.org-", "example.org"),
    ("HTTP://127.0.0.1:9000", "webhook-127.0.0.1-9000-", "127.0.0.1:9000"),
    ("http://[::1]:9/x", "webhook----1--9-", "[::1]:9"),
    ("https://user:secret@h.example?key=secret", "webhook-h.example-", "h.example"),
    ("https://a:b%40c@h.example:8443/secret@x", "webhook-h.example-8443-", "h.example:8443"),
    ("https://\(long)/", "webhook-\(long.prefix(60))-", long),
  ])
  func `a web hook has a name for files and metrics, and a host for the log, without its secrets`(
    _ url: String, _ name: String, _ host: String
  ) throws {
    let hook = try Webhook(url)
    #expect(hook.host == host)
    #expect(hook.name.hasPrefix(name) && hook.name.utf8.count == name.utf8.count + 8)
    #expect(try Webhook(url).name == hook.name && Webhook(url + "/2").name != hook.name)
  }

  @Test func `an address given twice and a source that does not exist end the start`() throws {
    var hook = try Webhook("https://example.org/hook")
    let other = try Webhook("https://example.org/hook2")
    try Webhook.check([hook, other], sources: [])
    let twice = #expect(throws: FoveaError.self) { try Webhook.check([hook, other, hook], sources: []) }
    #expect(twice?.message == "The web hook \(hook.name) is given twice")
    hook.sources = ["gate", "dor"]
    let missing = #expect(throws: FoveaError.self) {
      try Webhook.check([hook], sources: ["gate", "door"])
    }
    #expect(missing?.message == "There is no source 'dor' for the web hook \(hook.name)")
    #expect(missing?.remedy.description == "Did you mean 'door'?")
  }

  private static let variable = HTTPTransfer.certificatesVariable()

  /// Messages of libcurl with OpenSSL and with GnuTLS, and the reason.
  @Test(
    arguments: [
      ("SSL: no alternative certificate subject name matches target host name '127.0.0.1'", .misnamed),
      ("SSL: no alternative certificate subject name matches target ipv4 address '127.0.0.1'", .misnamed),
      ("SSL: certificate subject name 'a' does not match target host name 'b'", .misnamed),
      ("SSL certificate problem: certificate has expired", .expired),
      ("SSL certificate problem: certificate is not yet valid", .expired),
      ("server certificate expiration date has passed.", .expired),
      ("SSL certificate problem: unable to get local issuer certificate", .untrusted),
      ("SSL certificate problem: self-signed certificate in certificate chain", .untrusted),
      ("SSL certificate problem: unable to verify the first certificate", .untrusted),
      ("SSL certificate problem: unsuitable certificate purpose", .misused),
      ("SSL certificate problem: unsupported certificate purpose", .misused),
      (
        "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0",
        .anonymous
      ),
      ("OpenSSL/3.0.19: error:0A000410:SSL routines::sslv3 alert handshake failure", .declined),
      ("Could not resolve host: certificate-required.example", nil),
      ("SSL certificate problem: EE certificate key too weak", .invalid),
      ("server certificate verification failed. CAfile: none CRLfile: none", .invalid),
      ("error:0A00010B:SSL routines::wrong version number", .unencrypted),
      ("error:0A0000C6:SSL routines::packet length too long", .unencrypted),
      ("gnutls_handshake() failed: An unexpected TLS packet was received.", .unencrypted),
      ("error setting certificate file: /nowhere/ca.pem", .authorities),
      ("error adding trust anchors from file: ca.pem", .authorities),
      ("error:0A000438:SSL routines::tlsv1 alert internal error", nil), ("", nil),
    ] as [(String, TLSFault?)])
  func `the reason of a failure of TLS is in its message`(_ message: String, _ fault: TLSFault?) {
    #expect(TLSFault(message) == fault)
  }

  @Test func `each reason has a remedy of its own`() {
    let faults: [TLSFault] = [
      .authorities, .misnamed, .expired, .untrusted, .invalid, .unencrypted, .misused, .anonymous, .declined,
    ]
    let remedies = faults.map { $0.remedy(authorities: "CA_FILE", withoutTLS: "http://") }
    #expect(Set(remedies).count == faults.count)
    let names = remedies.map { $0.contains("CA_FILE") }
    #expect(names == [true, false, false, true, true, false, false, false, false])
    #expect(remedies[2].hasPrefix("Renew the certificate") && remedies[5].contains("http://"))
  }

  /// The variables that are set, and the one in force.
  @Test(
    arguments: [
      ([], "SSL_CERT_FILE"), (["SSL_CERT_FILE"], "SSL_CERT_FILE"), (["CURL_CA_BUNDLE"], "CURL_CA_BUNDLE"),
      (["CURL_CA_BUNDLE", "SSL_CERT_FILE"], "CURL_CA_BUNDLE"),
    ] as [([String], String)])
  func `a remedy has the variable with the authorities that is in force`(_ set: [String], _ name: String) {
    #expect(HTTPTransfer.certificatesVariable { set.contains($0) ? "ca.pem" : nil } == name)
  }

  /// The end of a try, and the parts of its line in the log; nil for a message that is taken.
  @Test(
    arguments: [
      (.status(200), nil, ""), (.status(299), nil, ""),
      (.status(300), "status 300", "redirects are not followed"),
      (.status(302), "status 302", "Give the address that it leads to"),
      (.status(307), "status 307", "redirects are not followed"),
      (.status(399), "status 399", "redirects are not followed"),
      (.status(400), "status 400", "Check the receiver's log"),
      (.status(401), "status 401", "Check the secret"), (.status(403), "status 403", "Check the secret"),
      (.status(404), "status 404", "Check the path"), (.status(405), "status 405", "POST"),
      (.status(410), "status 410", "Check the path"),
      (.status(429, retryAfter: 7), "status 429", "Check the receiver's log"),
      (.status(503), "status 503", "Check the receiver's log"),
      (.late, "no answer within 30 s", "answer first and work afterwards"),
      (
        .notSecure("self-signed certificate"), "self-signed certificate", "Set \(variable) to the certificate"
      ),
      (.notSecure("wrong version number"), "wrong version number", "Use http:// in the address"),
      (.notSecure("alert internal error"), "alert internal error", "Check the TLS of the receiver"),
      (.failed("connection refused"), "connection refused", "that the receiver runs"),
    ] as [(WebhookRetry.Answer, String?, String)])
  func `each failure of a web hook has a remedy for its own cause`(
    _ answer: WebhookRetry.Answer, _ failure: String?, _ remedy: String
  ) {
    #expect(answer.failure == failure)
    if failure != nil { #expect(answer.remedy.contains(remedy), "\(answer.remedy)") }
  }

  /// The statuses of tries in order, 0 for none, and the pauses without jitter; -1 for a dropped message.
  @Test(
    arguments: [
      ([200], []), ([204], []), ([299], []),
      ([0, 500, 503, 408, 429, 599, 0, 0, 0, 0, 200], [1, 2, 4, 8, 16, 32, 64, 128, 256, 300]),
      ([404, 404, 404, 404, 404], [1, 2, 4, 8, -1]), ([301, 302, 400, 401, 410], [1, 2, 4, 8, -1]),
      // Only refusals count towards their limit.
      ([404, 500, 404, 404, 404, 0, 404], [1, 2, 4, 8, 16, 32, -1]),
      ([404, 404, 404, 404, 200], [1, 2, 4, 8]),
    ] as [([Int], [Double])])
  func `pauses double to 300 s, and a refused message is dropped after five tries`(
    _ statuses: [Int], _ pauses: [Double]
  ) {
    for jitter in [0.0, 0.5, 1] {
      var retry = WebhookRetry()
      let steps = statuses.map { status in
        retry.step(
          after: status == 0 ? .failed("no connection") : .status(status), age: 10, jitter: jitter)
      }
      let expected: [WebhookRetry.Step] = pauses.map { pause in
        pause < 0 ? .end(.lost) : .again(pause * (0.5 + jitter / 2))
      }
      #expect(steps == (pauses.last == -1 ? expected : expected + [.end(.sent)]))
    }
  }

  /// A status, `Retry-After`, the age of the message, and the step.
  @Test(
    arguments: [
      (503, nil, 86_399.9, .again(1)), (503, nil, 86_400, .end(.lost)), (0, nil, 1e9, .end(.lost)),
      (200, nil, 1e9, .end(.sent)), (503, nil, -3_600, .again(1)), (503, 0, 0, .again(1)),
      (429, 7, 0, .again(7)), (503, 3_600, 0, .again(3_600)), (503, 3_600, 86_000, .again(400)),
      (503, .max, 0, .again(86_400)),
      // The pause of a refusal is not the web hook's.
      (404, 3_600, 0, .again(1)), (404, nil, 1e9, .again(1)),
    ] as [(Int, Int?, Double, WebhookRetry.Step)])
  func `a web hook may ask for a longer pause, until a message is a day old`(
    _ status: Int, _ retryAfter: Int?, _ age: Double, _ step: WebhookRetry.Step
  ) {
    var retry = WebhookRetry()
    let answer: WebhookRetry.Answer =
      status == 0 ? .failed("no answer") : .status(status, retryAfter: retryAfter)
    #expect(retry.step(after: answer, age: age, jitter: 1) == step)
  }
}
#endif
