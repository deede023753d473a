// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore

/// An address of a file that works for some minutes.
package struct SignedDownload: Sendable, Equatable {
  /// The path and its query: `/files/PROJECT/SHA256?exp=…&fid=…&kid=…&sig=…`.
  package let target: String
  package let expires: Timestamp
}

extension KeyRing {
  /// Signs the address of a file for `GET` and `HEAD`.
  ///
  /// - Parameters:
  ///   - path: As it stands in the request, percent-coded.
  ///   - installation: Id of the installation it is for; nil where none asked.
  ///   - lifetime: In seconds.
  ///   - now: The present.
  /// - Returns: The address, and when it expires.
  package func sign(path: String, installation: String?, lifetime: Double, now: Timestamp) -> SignedDownload {
    let expires = now.advanced(seconds: lifetime)
    let items = Self.items(expires: expires.milliseconds, installation: installation)
    let (key, signature) = sign(Self.text("GET", path, items), for: .download)
    return SignedDownload(target: "\(path)?\(items)&kid=\(key)&sig=\(signature)", expires: expires)
  }

  /// Checks such an address as it came, byte by byte: items in another order, twice or added are refused.
  ///
  /// - Parameters:
  ///   - method: Of the request.
  ///   - path: As it stands in the request, percent-coded.
  ///   - query: Without the question mark.
  ///   - lifetime: The longest that this host signs for, in seconds.
  ///   - now: The present.
  /// - Returns: The id of the installation that it was made for.
  /// - Throws: `expired` where only its time is over; `forbidden` where this host did not make it.
  @discardableResult
  package func verify(
    method: String, path: String, query: String, lifetime: Double, now: Timestamp
  ) throws(HostError) -> String? {
    guard method == "GET" || method == "HEAD", let values = QueryItems(query), let text = values["exp"],
      let expires = Int64(text), let key = values["kid"], let signature = values["sig"]
    else { throw Self.forged }
    let installation = values["fid"]
    let items = Self.items(expires: expires, installation: installation)
    guard query == "\(items)&kid=\(key)&sig=\(signature)",
      isSigned(Self.text("GET", path, items), for: .download, key: key, signature: signature)
    else { throw Self.forged }
    guard now.milliseconds < expires else {
      throw HostError(.expired, "The address of the file has expired", remedy: "Ask for the model again")
    }
    // Some minutes more, since the clock may have been set back in the meantime.
    guard Double(expires - now.milliseconds) / 1000 <= lifetime + 300 else { throw Self.forged }
    return installation
  }

  private static let forged = HostError(
    .forbidden, "The address of the file is not signed by this host", remedy: "Ask for the model again")

  private static func items(expires: Int64, installation: String?) -> String {
    "exp=\(expires)" + (installation.map { "&fid=\(PercentText.encode($0))" } ?? "")
  }

  private static func text(_ method: String, _ path: String, _ items: String) -> String {
    "\(method)\n\(path)\n\(items)"
  }
}
#endif
