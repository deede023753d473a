// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import HTTPTypes

extension SignedObjectURL {
  /// Returns the signer of a V2 URL, which Google's Python client creates unless V4 is requested.
  ///
  /// **Source:** Google Cloud Storage, "V2 signing process".
  static func formerSigner(
    _ method: String, _ path: String, _ items: QueryItems, _ headers: HTTPFields, _ authority: Authority
  ) throws(HostError) -> Authority.Signer {
    guard
      Set(items.values.keys).subtracting(["generation"]) == ["GoogleAccessId", "Expires", "Signature"],
      let email = items["GoogleAccessId"], let expires = items["Expires"].flatMap({ Int64($0) }),
      let signature = items["Signature"].flatMap({ Base64.decode($0) })
    else { throw forged }
    let extensions = headers.filter { $0.name.canonicalName.hasPrefix("x-goog-") }
      .map { "\($0.name.canonicalName):\($0.value.split(separator: " ").joined(separator: " "))" }
      .sorted()
    let parts =
      [method, headers[.contentMD5] ?? "", headers[.contentType] ?? "", String(expires)] + extensions
      + [path]
    let found = try signer(of: parts.joined(separator: "\n"), signature, email: email, authority)
    guard authority.now().milliseconds / 1000 < expires else { throw expired }
    return found
  }
}
#endif
