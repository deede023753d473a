// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import HTTPTypes
import Hummingbird

/// Reads the installation of a report or of events, and refuses requests without one if it is required.
struct InstallationDoor: Sendable {
  let ring: KeyRing
  let now: Now
  /// Whether a request without a token is refused.
  let isRequired: Bool

  /// Returns the installation whose token the request presents; nil if there is no valid one.
  /// - Throws: `unauthenticated` if one is required.
  func installation(of request: Request) throws(HostError) -> Installation? {
    let token = request.headers[.xGoogInstallationsAuth]
    let shown = token.flatMap { ring.installation(token: $0, now: now()) }
    guard shown == nil, isRequired else { return shown }
    guard token == nil else {
      throw HostError(
        .unauthenticated, "The installation token has expired, or this host has not issued it",
        remedy: "Renew the installation's token, or create the installation again")
    }
    throw HostError(
      .unauthenticated, "The request has no installation token, which this host requires",
      remedy: "Create an installation, and send its token as x-goog-firebase-installations-auth")
  }
}
#endif
