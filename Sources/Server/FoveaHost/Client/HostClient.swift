// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
package import FoveaModels

/// Talks to a running host in the name of a service account.
package struct HostClient: Sendable {
  /// Scheme, name and port, from the account's `token_uri`.
  package let address: String
  private let account: ServiceAccount
  private let now: Now

  /// Takes the address of the host from the account.
  /// - Throws: `invalid` where its `token_uri` names no host.
  package init(_ account: ServiceAccount, now: @escaping Now) throws(HostError) {
    let uri = account.tokenURI
    guard uri.hasPrefix("http://") || uri.hasPrefix("https://"), uri.hasSuffix("/token"), !uri.contains("@")
    else {
      throw HostError(
        .invalid, "The key file names no host: its token_uri is '\(uri.printable)'",
        remedy: "Use a key file that the host has made")
    }
    address = String(uri.dropLast("/token".count))
    self.account = account
    self.now = now
  }

  /// Reads the file of a key, which is a secret of its owner.
  /// - Throws: `invalid` where it cannot be read or is no such file.
  package init(keyFile path: String, now: @escaping Now) throws(HostError) {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try SmallFile.bytes(of: path, limit: 1 << 20) } catch {
      throw HostError(
        .invalid, "The key file '\(path.printable)' cannot be read: \(error.message)",
        remedy: "Name the key file of the host: DIR/keys/admin.json")
    }
    try self.init(ServiceAccount(json: bytes, name: "'\(path.printable)'"), now: now)
  }

  /// A link that signs in to the console of the host once, within 10 minutes, with all that the key may do.
  /// - Throws: `invalid` where the key cannot sign.
  package func consoleLink() async throws(HostError) -> String {
    let token = try await account.link(to: address, now: now())
    return "\(address)/console/sign-in?token=\(token)"
  }

  /// What a host answered: one line of JSON.
  package struct Reply: Sendable {
    package let json: String

    package init(json: String) { self.json = json }

    /// Reads it.
    /// - Throws: `unavailable` where it holds something else.
    package func decode<Value: Decodable>(_ type: Value.Type) throws(HostError) -> Value {
      do throws(JSONFailure) { return try JSONValue.decode(type, from: json.utf8) } catch {
        throw HostError(
          .unavailable, "The host's answer cannot be read: \(error.reason) at '\(error.path)'",
          remedy: "Check that this program and the host have the same version")
      }
    }
  }

  /// Sends a request to the host's own routes of the project.
  /// - Throws: What the host refuses, in its words; `unavailable` if it does not answer, with whether it may have done
  ///   what it was asked for.
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
        .unavailable, "\(error.message); whether it was done is not known",
        remedy: "See whether it was done before you send it again", cause: error.cause)
    }
  }

  /// Sends a request, for a caller that knows what it means if no answer comes.
  /// - Throws: What the host refuses, in its words; `unavailable` if it does not answer, because of `NoAnswer`.
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

  /// A part of a path, in which a colon stands for itself as in `NAME:rollback`.
  private static func coded(_ part: String) -> String {
    part.split(separator: ":", omittingEmptySubsequences: false).map { PercentText.encode(String($0)) }
      .joined(separator: ":")
  }

  /// What a host says in the form of its own routes, or the status where it says nothing.
  static func refusal(_ status: Int, _ body: [UInt8], _ address: String) -> HostError {
    guard let refusal = try? JSONValue.decode(Refused.self, from: body).error else {
      return HostError(
        .unavailable, "\(address) answers with status \(status) and without a reason",
        remedy: "Check that a model host listens there",
        // A proxy that refuses a request does not send it on; one that gives up waiting has.
        cause: NoAnswer(mayHaveActed: status >= 500))
    }
    return HostError(
      HostCode(rawValue: refusal.code), refusal.message.printable,
      remedy: Advice((refusal.remedy ?? "See the log of the host").printable))
  }

  /// The cause of an error that no host has answered with.
  struct NoAnswer: Error {
    /// Whether the host may have done what it was asked for.
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
