// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// Answers requests to a node from a memory that is as new as the caller needs, with its age.
///
/// A device gets what the node has: changes arrive there a moment later. Any other request gets everything
/// that was stored before it, by any node, and the answer to a change waits for the other nodes.
struct NodeAnswers: RouterMiddleware {
  typealias Context = HTTPContext

  let node: HostNode

  @concurrent
  func handle(
    _ request: Request, context: HTTPContext,
    next: @concurrent (Request, HTTPContext) async throws -> Response
  ) async throws -> Response {
    guard !Self.isOwn(request.uri.path) else { return try await next(request, context) }
    let isOfApp = HostService.isOfApp(request.uri.path)
    if !isOfApp { await node.catchUp() }
    guard let age = node.age else {
      let response = try await next(request, context)
      if !isOfApp, Self.isOfChange(request) { await node.settle() }
      return response
    }
    if let refusal = node.refusal(at: age) { throw refusal }
    var response: Response
    do { response = try await next(request, context) } catch let error as HostError {
      guard error.code == .notFound else { throw error }
      throw node.unknown(at: age)
    }
    guard response.status != .notFound else { throw node.unknown(at: age) }
    response.headers[.foveaStale] = String(age)
    return response
  }

  /// Whether a path is about the host itself.
  private static func isOwn(_ path: String) -> Bool { ["/livez", "/readyz", "/metrics"].contains(path) }

  /// Whether a request may change something, or asks for the end of a change.
  private static func isOfChange(_ request: Request) -> Bool {
    ![.get, .head].contains(request.method) || request.uri.path.contains("/operations/")
  }
}

extension HostNode {
  /// Returns the refusal of a request for what the memory of that age does not have.
  fileprivate func unknown(at age: Int) -> Refusal {
    let reason =
      fault.map { ": \($0.message)" } ?? ", and the host's database has been out of reach for \(age) s"
    return Refusal(
      .serviceUnavailable, HostCode.unavailable.rawValue, "This is not known here\(reason)",
      remedy: "Try again in a few seconds"
    ).retrying(after: 5)
  }

  /// The refusal of readiness to write while the database has something that this node cannot decode; nil
  /// while it has not.
  var faultRefusal: Refusal? { fault?.refusal.retrying(after: 5) }

  /// Returns the refusal of all requests once the memory is too old, by its age in seconds; nil before.
  func refusal(at age: Int?) -> Refusal? {
    guard let age, Double(age) > limit else { return nil }
    if let refusal = faultRefusal { return refusal }
    return Refusal(
      .serviceUnavailable, HostCode.unavailable.rawValue,
      "The host's database has been out of reach for \(age) s",
      remedy: "Check the database and the network between it and the host"
    ).retrying(after: 5)
  }
}

extension HostNode {
  /// The greatest deviation of a host's clock, in seconds: callers may add five minutes of their own to it.
  private static let clockTolerance = 60.0

  /// The refusal of readiness to write while the host's clock and the database's differ; nil while they do
  /// not.
  ///
  /// Another host may refuse what is signed by a wrong clock. Requests that arrive all the same are answered,
  /// because the database's clock may be the wrong one.
  var clockRefusal: Refusal? {
    let error = clockError
    guard abs(error) > Self.clockTolerance else { return nil }
    let seconds = DecimalText.grouped(Int(abs(error).rounded()))
    return Refusal(
      .serviceUnavailable, HostCode.unavailable.rawValue,
      "The clock of this host is \(seconds) s \(error > 0 ? "ahead of" : "behind") the database's",
      remedy: "Set both clocks, for example with NTP"
    ).retrying(after: 5)
  }
}

extension HTTPField.Name {
  static let foveaStale = HTTPField.Name(parsed: "fovea-stale") ?? .age
}
#endif
