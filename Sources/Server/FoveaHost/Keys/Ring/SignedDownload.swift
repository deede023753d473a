// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore

/// The URL of a file that works for some minutes.
package struct SignedDownload: Sendable, Equatable {
  /// The path and its query: `/files/PROJECT/SHA256?exp=…&fid=…&kid=…&sig=…`.
  package let target: String
  package let expires: Timestamp
}

extension KeyRing {
  /// Signs the URL of a file for `GET` and `HEAD`.
  ///
  /// - Parameters:
  ///   - path: The percent-coded path of the request.
  ///   - installation: The id of its installation; nil if there is none.
  ///   - lifetime: The lifetime in seconds.
  ///   - now: The current time.
  /// - Returns: The URL and its expiry.
  package func sign(path: String, installation: String?, lifetime: Double, now: Timestamp) -> SignedDownload {
    let expires = now.advanced(seconds: lifetime)
    let items = Self.items(expires: expires.milliseconds, installation: installation)
    let (key, signature) = sign(Self.text("GET", path, items), for: .download)
    return SignedDownload(target: "\(path)?\(items)&kid=\(key)&sig=\(signature)", expires: expires)
  }

  /// Checks such a URL byte by byte: items that are reordered, duplicate or added are refused.
  ///
  /// - Parameters:
  ///   - method: The method of the request.
  ///   - path: The percent-coded path of the request.
  ///   - query: The query without the question mark.
  ///   - lifetime: The maximum lifetime that this host signs, in seconds.
  ///   - now: The current time.
  /// - Returns: The id of its installation.
  /// - Throws: `expired` if it is only out of date; `forbidden` if this host did not create it.
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
      throw HostError(.expired, "The URL of the file has expired", remedy: "Request the model again")
    }
    // A few more minutes, since the clock may have been set back meanwhile.
    guard Double(expires - now.milliseconds) / 1000 <= lifetime + 300 else { throw Self.forged }
    return installation
  }

  private static let forged = HostError(
    .forbidden, "The URL of the file is not signed by this host", remedy: "Request the model again")

  private static func items(expires: Int64, installation: String?) -> String {
    "exp=\(expires)" + (installation.map { "&fid=\(PercentText.encode($0))" } ?? "")
  }

  private static func text(_ method: String, _ path: String, _ items: String) -> String {
    "\(method)\n\(path)\n\(items)"
  }
}
#endif
