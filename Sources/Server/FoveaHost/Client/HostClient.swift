// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
package import FoveaModels

/// A client of a running host that authenticates as a service account.
package struct HostClient: Sendable {
  /// Scheme, name and port, from the account's `token_uri`.
  package let address: String
  private let account: ServiceAccount
  private let now: Now

  /// Creates a client from an account, which contains the host's address.
  /// - Throws: `invalid` if its `token_uri` is not the URL of a host.
  package init(_ account: ServiceAccount, now: @escaping Now) throws(HostError) {
    let uri = account.tokenURI
    guard uri.hasPrefix("http://") || uri.hasPrefix("https://"), uri.hasSuffix("/token"), !uri.contains("@")
    else {
      throw HostError(
        .invalid, "The key file names no host: its token_uri is '\(uri.printable)'",
        remedy: "Use a key file created by the host")
    }
    address = String(uri.dropLast("/token".count))
    self.account = account
    self.now = now
  }

  /// Reads a key file, which contains its owner's secret.
  /// - Throws: `invalid` if it cannot be read or is not a key file.
  package init(keyFile path: String, now: @escaping Now) throws(HostError) {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try SmallFile.bytes(of: path, limit: 1 << 20) } catch {
      throw HostError(
        .invalid, "The key file '\(path.printable)' cannot be read: \(error.message)",
        remedy: "Give the host's key file: DIR/keys/admin.json")
    }
    try self.init(ServiceAccount(json: bytes, name: "'\(path.printable)'"), now: now)
  }

  /// Returns a link that signs in to the host's console once, within 10 minutes, with all permissions of the
  /// key.
  /// - Throws: `invalid` if the key cannot sign.
  package func consoleLink() async throws(HostError) -> String {
    let token = try await account.link(to: address, now: now())
    return "\(address)/console/sign-in?token=\(token)"
  }

  /// A host's reply: one line of JSON.
  package struct Reply: Sendable {
    package let json: String

    package init(json: String) { self.json = json }

    /// Decodes the reply.
    /// - Throws: `unavailable` if it has another content.
    package func decode<Value: Decodable>(_ type: Value.Type) throws(HostError) -> Value {
      do throws(JSONFailure) { return try JSONValue.decode(type, from: json.utf8) } catch {
        throw HostError(
          .unavailable, "The host's answer cannot be read: \(error.reason) at '\(error.path)'",
          remedy: "Check that this program and the host have the same version")
      }
    }
  }

  /// Sends a request to the host's own routes of the project.
  /// - Throws: The host's refusal, in its own words; `unavailable` if it does not answer, stating whether it
  ///   may have carried out the request.
  package func send(
    _ method: String, _ path: [String], query: [(name: String, value: String)] = [],
    headers: [String] = [], body: HTTPExchange.Body = .none, scopes: Set<Scope>
  ) async throws(HostError) -> Reply {
    do throws(HostError) {
      return try await reply(
        to: method, path, query: query, headers: headers, body: body, scopes: scopes)
    } catch {
      guard method != "GET", (error.cause as? NoAnswer)?.mayHaveActed == true else { throw error }
      throw HostError(
        .unavailable, "\(error.message); the request may have been carried out",
        remedy: "Check whether it was carried out before you send it again", cause: error.cause)
    }
  }

  /// Sends a request for a caller that interprets a missing answer itself.
  /// - Throws: The host's refusal, in its own words; `unavailable`, caused by `NoAnswer`, if it does not
  ///   answer.
  func reply(
    to method: String, _ path: [String], query: [(name: String, value: String)] = [],
    headers: [String] = [], body: HTTPExchange.Body = .none, scopes: Set<Scope>
  ) async throws(HostError) -> Reply {
    let place = (["v1", "host", "projects", account.project] + path).map { HostClient.coded($0) }
    let items = query.map { "\($0.name)=\(PercentText.encode($0.value))" }.joined(separator: "&")
    let url = "\(address)/\(place.joined(separator: "/"))" + (items.isEmpty ? "" : "?\(items)")
    var exchange = HTTPExchange(method, url)
    exchange.body = body
    exchange.headers = ["Authorization: Bearer \(try await account.token(scopes, now: now()))"] + headers
    switch body {
    case .none: break
    case .bytes: exchange.headers.append("Content-Type: application/json")
    case .file: exchange.headers.append("Content-Type: application/octet-stream")
    }
    switch try await answer(exchange) {
    case .failed(let reason, let isSent):
      throw HostError(
        .unavailable, "The host at \(address) does not answer: \(reason.printable)",
        remedy: "Start it, or use the key file of another host", cause: NoAnswer(mayHaveActed: isSent))
    case .reply(let status, let body):
      guard (200..<300).contains(status) else { throw HostClient.refusal(status, body, address) }
      return Reply(json: String(decoding: body, as: UTF8.self))
    }
  }

  private func answer(_ exchange: HTTPExchange) async throws(HostError) -> HTTPExchange.Answer {
    do throws(TransferError) { return try await exchange.run() } catch {
      throw HostError(
        error.code == .invalidOption ? .invalid : .unavailable, error.message, remedy: error.remedy,
        cause: error)
    }
  }

  /// Encodes a part of a path, keeping colons as in `NAME:rollback`.
  private static func coded(_ part: String) -> String {
    part.split(separator: ":", omittingEmptySubsequences: false).map { PercentText.encode(String($0)) }
      .joined(separator: ":")
  }

  /// Returns the error of a host's own routes, or one with the status if the body contains none.
  static func refusal(_ status: Int, _ body: [UInt8], _ address: String) -> HostError {
    guard let refusal = try? JSONValue.decode(Refused.self, from: body).error else {
      return HostError(
        .unavailable, "\(address) answers with status \(status) and without a reason",
        remedy: "Check that a model host listens there",
        // A proxy that rejects a request does not forward it; one that times out has forwarded it.
        cause: NoAnswer(mayHaveActed: status >= 500))
    }
    return HostError(
      HostCode(rawValue: refusal.code), refusal.message.printable,
      remedy: Advice((refusal.remedy ?? "See the log of the host").printable))
  }

  /// The cause of an error without an answer of a host.
  struct NoAnswer: Error {
    /// Whether the host may have carried out the request.
    let mayHaveActed: Bool
  }

  private struct Refused: Decodable {
    struct Reason: Decodable {
      let code: String
      let message: String
      let remedy: String?
    }
    let error: Reason
  }
}
#endif
