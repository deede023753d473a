// SPDX-License-Identifier: Apache-2.0
#if Server

/// The reason why a connection to a broker ended, or was not made.
enum MQTTEnd: Error, Sendable, Equatable {
  /// The broker is unknown, does not answer, or TLS fails otherwise: the system's reason.
  case unreachable(String)
  /// TLS fails for a known reason.
  case insecure(TLSFault)
  /// The broker refused the login with a code from 1 to 5.
  case refused(UInt8)
  /// The broker sent something that no publisher gets.
  case malformed
  /// The broker acknowledged nothing and answered no ping for some time.
  case silent
  /// The broker closed the connection.
  case closed

  /// The event, without names and passwords.
  var message: String {
    switch self {
    case .unreachable(let reason): reason
    case .insecure(.misnamed): "the certificate of the broker has another name"
    case .insecure(.unencrypted): "the broker answers without TLS"
    case .insecure(.anonymous): "the broker wants a certificate of its clients"
    case .insecure(.declined): "the broker ended the TLS handshake"
    case .insecure: "the certificate of the broker is not trusted"
    case .refused(let code): "the broker refuses the login: \(MQTTEnd.reason(code))"
    case .malformed: "the broker sent what is not MQTT 3.1.1 for a publisher"
    case .silent: "the broker does not answer"
    case .closed: "the broker closed the connection"
    }
  }

  /// The next step for the operator.
  var remedy: String {
    switch self {
    case .unreachable: "Check the address, and that the broker runs"
    case .insecure(let fault):
      fault.remedy(authorities: "\"ca\" of \"mqtt\" in the configuration file", withoutTLS: "mqtt://")
    case .refused(4), .refused(5): "Check the user and the password"
    case .refused(2): "Give this server its own node: two clients cannot have the same id"
    case .refused, .malformed: "Check that the address and port are those of an MQTT broker"
    case .silent, .closed: "Check the broker's log"
    }
  }

  private static func reason(_ code: UInt8) -> String {
    switch code {
    case 1: "it does not support MQTT 3.1.1"
    case 2: "it does not accept the client's id"
    case 3: "it is not available"
    case 4: "wrong user or password"
    default: "not authorized"
    }
  }
}
#endif
