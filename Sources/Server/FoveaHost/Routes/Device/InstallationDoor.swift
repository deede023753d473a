// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import HTTPTypes
import Hummingbird

/// Reads which installation sends a report or events, and refuses those that none sends where one is required.
struct InstallationDoor: Sendable {
  let ring: KeyRing
  let now: Now
  /// Whether a request without a token is refused.
  let isRequired: Bool

  /// The installation whose token the request shows; nil where it shows none that is ours.
  /// - Throws: `unauthenticated` where one is required.
  func installation(of request: Request) throws(HostError) -> Installation? {
    let shown = request.headers[.xGoogInstallationsAuth].flatMap {
      ring.installation(token: $0, now: now())
    }
    guard shown == nil, isRequired else { return shown }
    throw HostError(
      .unauthenticated, "The request shows no token of an installation, which this host requires",
      remedy: "Create an installation, and send its token as x-goog-firebase-installations-auth")
  }
}
#endif
