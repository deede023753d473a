// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import HTTPTypes

/// The headers covered by a V4 signature, in its canonical form.
struct SignedHeaders {
  /// Their names, lower case and in order, separated by semicolons.
  let names: String
  /// A line for each: `content-type:text/plain`.
  let canonical: String
  /// The digest of the body, if the signature covers it.
  let payload: String

  /// - Throws: `forbidden` if `host` is not among them, or the request lacks one.
  init(_ names: String, _ headers: HTTPFields, host: String) throws(HostError) {
    let list = names.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    guard list.contains("host"), list == Set(list).sorted(), list.count <= 50 else {
      throw SignedObjectURL.forged
    }
    var canonical = ""
    var payload = "UNSIGNED-PAYLOAD"
    for name in list {
      var value = host
      if name != "host" {
        guard let field = HTTPField.Name(parsed: name), field.canonicalName == name,
          headers[field] != nil
        else {
          throw HostError(
            .forbidden, "The URL was signed for requests with the header \(HostName.shown(name))",
            remedy: "Send the header with its signed value")
        }
        value = headers[values: field].map { $0.split(separator: " ").joined(separator: " ") }.joined(
          separator: ",")
      }
      if name == "x-goog-content-sha256" { payload = value }
      canonical += "\(name):\(value)\n"
    }
    self.names = names
    self.canonical = canonical
    self.payload = payload
  }
}
#endif
