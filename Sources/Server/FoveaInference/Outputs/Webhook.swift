// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore
import FoveaHTTP
import FoveaModels
package import FoveaTracking

/// A web hook: an address that gets the messages about objects.
package struct Webhook: Sendable, Equatable {
  /// `https://…` or `http://…`; may contain secrets, and so is never shown.
  let url: String
  /// The host, and the port if the address has one, for the log: no user, password, path or query.
  let host: String
  /// The name in metrics, the log and the file of its place; the same after a restart.
  let name: String
  /// The file with the secret that signs its requests; nil if they are not signed.
  package var secretFile: String?
  /// The types of its messages; empty for all.
  package var types: Set<ObjectEvent.Kind> = []
  /// The sources of its messages; empty for all.
  package var sources: [String] = []

  /// Reads an address.
  /// - Throws: `option-invalid` for another protocol, for characters that no address has, and for an
  ///   impossible user, password, host or port.
  package init(_ url: String) throws(FoveaError) {
    self.url = url
    let scheme = ["https://", "http://"].first { url.lowercased().hasPrefix($0) }
    let place = scheme.map { url.dropFirst($0.utf8.count).prefix { !"/?".contains($0) } } ?? ""
    let at = place.lastIndex(of: "@")
    let login = at.map { place[..<$0] } ?? ""
    let host = at.map { place[place.index(after: $0)...] } ?? place
    if let (problem, remedy) = Webhook.problem(url, hasScheme: scheme != nil, login: login, host: host) {
      // The address may contain a secret, so the error does not show it.
      throw .optionInvalid(problem, remedy: remedy)
    }
    self.host = String(host)
    let shown = host.prefix(60).map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" }
    name = "webhook-\(String(shown))-\(SHA256.hexadecimal(of: Array(url.utf8).span).prefix(8))"
  }

  /// Returns why an address cannot work, and the next step; nil if it can.
  private static func problem(
    _ url: String, hasScheme: Bool, login: Substring, host: Substring
  ) -> (String, remedy: Advice)? {
    let address = "The address of a web hook"
    guard hasScheme else {
      return (
        "A web hook is not an address with https:// or http://", "Write it as https://example.org/hook"
      )
    }
    guard url.utf8.count <= DownloadAddress.longest else {
      return ("\(address) has more than \(DownloadAddress.longest) bytes", "Use a shorter one")
    }
    guard DownloadAddress.isPlain(url) else {
      return (
        "\(address) has a space, a letter outside ASCII or another character that no address has",
        "Write such characters as %20, and a name of a host outside ASCII as xn--"
      )
    }
    guard !url.contains("#") else {
      return ("\(address) has a '#', which is never sent", "Leave out the end from '#' on, or write %23")
    }
    guard !host.isEmpty else { return ("\(address) has no host", "Write it as https://example.org/hook") }
    let hasControl = PercentText.decode(login)?.utf8.contains { $0 < 0x20 } ?? false
    guard !login.contains("@"), !hasControl else {
      return (
        "The user or password in the address of a web hook has an '@' or a control character",
        "Write '@' as %40, and no control characters"
      )
    }
    guard ListenAddress(remote: String(host), usualPort: 443) != nil else {
      return (
        "\(address) has an invalid host or port",
        "Write it as https://example.org:8443/hook, with a port from 1 to 65535, IPv6 as https://[::1]/, and "
          + "'/' and '?' of a password as %2F and %3F"
      )
    }
    return nil
  }

  /// Returns whether it gets a message.
  func wants(_ message: EventLine) -> Bool {
    (types.isEmpty || types.contains { $0.rawValue == message["event_type"] })
      && (sources.isEmpty || message["source"].map(sources.contains) ?? false)
  }

  /// Checks web hooks as at the start.
  /// - Parameters:
  ///   - hooks: The web hooks.
  ///   - names: The names of the server's sources.
  /// - Throws: `option-invalid` for an address that is given twice, a source that does not exist, and a
  ///   secret that cannot be used.
  package static func check(_ hooks: [Webhook], sources names: [String]) throws(FoveaError) {
    var seen: Set<String> = []
    for hook in hooks {
      guard seen.insert(hook.url).inserted else {
        throw .optionInvalid(
          "The web hook \(hook.name) is given twice", remedy: "Write its types and sources in one place")
      }
      if let other = hook.sources.first(where: { !names.contains($0) }) {
        let near = NameDistance.nearest(to: other, among: names).first
        throw .optionInvalid(
          "There is no source '\(other.printable)' for the web hook \(hook.name)",
          remedy: near.map { "Did you mean '\($0)'?" } ?? "Name a source of the server")
      }
      _ = try hook.secretFile.map { (path) throws(FoveaError) in try WebhookSecret(path: path) }
    }
  }
}
#endif
