// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import HTTPTypes

extension SignedObjectURL {
  /// The query items of a V2 URL.
  private static let formerNames: Set<String> = ["GoogleAccessId", "Expires", "Signature"]

  /// Returns the parameters of a V2 URL besides those of its signature; Google's client writes a space as
  /// `+`.
  static func formerParameters(_ query: String) throws(HostError) -> [String: String] {
    guard let items = QueryItems(query, plusIsSpace: true) else { throw forged }
    return items.values.filter { !formerNames.contains($0.key) }
  }

  /// Returns the signer of a V2 URL, which Google's Python client creates unless V4 is requested.
  ///
  /// The signature covers no parameter by default. That client signs those of its argument
  /// `query_parameters`, sorted, after the path.
  ///
  /// **Source:** Google Cloud Storage, "V2 signing process"; google-cloud-storage 3.17, `canonicalize_v2`.
  static func formerSigner(
    _ method: String, _ path: String, _ items: QueryItems, _ further: [String: String],
    _ headers: HTTPFields, _ authority: Authority
  ) throws(HostError) -> Authority.Signer {
    guard formerNames.isSubset(of: items.values.keys),
      let email = items["GoogleAccessId"], let expires = items["Expires"].flatMap({ Int64($0) }),
      let signature = items["Signature"].flatMap({ Base64.decode($0) })
    else { throw forged }
    let extensions = headers.filter { $0.name.canonicalName.hasPrefix("x-goog-") }
      .map { "\($0.name.canonicalName):\($0.value.split(separator: " ").joined(separator: " "))" }
      .sorted()
    let parts =
      [method, headers[.contentMD5] ?? "", headers[.contentType] ?? "", String(expires)] + extensions
    let found = resources(path, further).lazy.compactMap { resource in
      let text = (parts + [resource]).joined(separator: "\n")
      return try? signer(of: text, signature, email: email, authority)
    }.first
    guard let found else { throw forged }
    guard authority.now().milliseconds / 1000 < expires else { throw expired }
    return found
  }

  /// Returns the resources that a V2 signature may cover: the path without parameters, with those that
  /// Google's client always signs, and with all.
  private static func resources(_ path: String, _ further: [String: String]) -> [String] {
    let unsigned = SignedParameters.responses.union(["generation"])
    var resources = [path]
    for covered in [further.filter { !unsigned.contains($0.key) }, further] where !covered.isEmpty {
      let query = covered.sorted { $0.key < $1.key }.map { "\(formCode($0.key))=\(formCode($0.value))" }
      let resource = "\(path)?\(query.joined(separator: "&"))"
      if resource != resources.last { resources.append(resource) }
    }
    return resources
  }

  /// Returns a text as forms code it: a space is `+`.
  private static func formCode(_ text: String) -> String {
    PercentText.encode(text).replacing("%20", with: "+")
  }
}
#endif
