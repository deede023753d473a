// SPDX-License-Identifier: Apache-2.0
#if Server
import Testing

@testable import FoveaInference

@Suite struct MQTTEndTests {
  /// BoringSSL's description of a failed handshake, and the end of the connection.
  @Test(
    arguments: [
      (
        "sslError([Error: 268435581 error:1000007d:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED])",
        .insecure(.invalid)
      ),
      (
        "sslError([Error: 268435703 error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER])",
        .insecure(.unencrypted)
      ),
      (
        "sslError([Error: 268436572 error:1000045c:SSL routines:OPENSSL_internal:TLSV1_ALERT_CERTIFICATE_REQUIRED])",
        .insecure(.anonymous)
      ),
      (
        "sslError([Error: 268436496 error:10000410:SSL routines:OPENSSL_internal:SSLV3_ALERT_HANDSHAKE_FAILURE])",
        .insecure(.declined)
      ),
      ("eofDuringHandshake", .unreachable("the TLS handshake failed: eofDuringHandshake")),
      ("", .unreachable("the TLS handshake failed: ")),
    ] as [(String, MQTTEnd)])
  func `a failed handshake ends a connection for the reason of its description`(
    _ reason: String, _ end: MQTTEnd
  ) {
    #expect(MQTTConnection.end(ofHandshake: reason) == end)
  }

  /// An end, and a part of what the operator reads.
  @Test(
    arguments: [
      (.insecure(.invalid), "is not trusted", #"Set "ca" of "mqtt""#),
      (.insecure(.invalid), "is not trusted", "expired"),
      (.insecure(.invalid), "is not trusted", "not for servers"),
      (.insecure(.anonymous), "wants a certificate of its clients", "accept clients without a certificate"),
      (.insecure(.declined), "ended the TLS handshake", "clients without a certificate"),
      (.insecure(.misnamed), "has another name", "Use a name that the certificate has"),
      (.insecure(.unencrypted), "answers without TLS", "Use mqtt://"),
      (.unreachable("no route"), "no route", "Check the address, and that the broker runs"),
      (.refused(1), "MQTT 3.1.1", "Check that the address and port"),
      (.refused(2), "the client's id", "its own node"),
      (.refused(4), "wrong user or password", "Check the user and the password"),
      (.refused(5), "not authorized", "Check the user and the password"),
      (.malformed, "not MQTT 3.1.1", "Check that the address and port"),
      (.silent, "does not answer", "Check the broker's log"),
      (.closed, "closed the connection", "Check the broker's log"),
    ] as [(MQTTEnd, String, String)])
  func `each end has a remedy for its own cause`(_ end: MQTTEnd, _ message: String, _ remedy: String) {
    #expect(end.message.contains(message) && end.remedy.contains(remedy), "\(end.message); \(end.remedy)")
  }
}
#endif
