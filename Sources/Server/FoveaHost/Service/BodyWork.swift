// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import Hummingbird

/// Reads long bodies, and writes long templates, lists and pages, on their own threads, in turn for
/// each caller.
///
/// Reading a megabyte of JSON takes up to a third of a second. On the threads that all routes share, a few
/// such bodies would delay every other answer, health checks included.
package struct BodyWork: Sendable {
  package let turns = TurnQueue(of: .bodies, limits: .processors)

  /// The length in bytes up to which a body is read at once, which takes at most some milliseconds.
  package static let short = 16 << 10

  package init() {}

  /// Runs work on a body.
  /// - Parameters:
  ///   - count: The length of the body in bytes.
  ///   - caller: The name of a key, or an address; at most one long body of each is read at a time.
  ///   - work: The work.
  /// - Returns: The result of `work`.
  /// - Throws: `rate-limited` if too many bodies wait, in all or of this caller; `cancelled` if the task is
  ///   cancelled; any error of `work`.
  package func run<Value: Sendable>(
    on count: Int, of caller: String, _ work: @escaping @Sendable () throws(HostError) -> Value
  ) async throws(HostError) -> Value {
    guard count > BodyWork.short else { return try work() }
    return try await turns.run(ModelService.newSeed(), of: caller) { () async throws(HostError) -> Value in
      try await BlockingWork.run { _ throws(HostError) in try work() }
    }
  }

  /// Receives a body, decompresses it, and runs work on it.
  /// - Parameters:
  ///   - request: The request.
  ///   - caller: The name of a key, or an address.
  ///   - limit: The maximum number of bytes, before and after decompression.
  ///   - work: The work on the bytes.
  /// - Returns: The result of `work`.
  /// - Throws: A refusal of the body; the errors of ``run(on:of:_:)`` and of `work`.
  func read<Value: Sendable>(
    _ request: Request, of caller: String, upTo limit: Int,
    _ work: @escaping @Sendable ([UInt8]) throws -> Value
  ) async throws -> Value {
    try await ReceivedBody(request, upTo: limit).read(by: self, of: caller, work)
  }

  /// Decodes a body as JSON; an empty one counts as `{}`.
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - request: The request.
  ///   - caller: The name of a key, or an address.
  ///   - limit: The maximum number of bytes, before and after decompression.
  ///   - check: Called with the bytes before they are decoded.
  /// - Returns: The value.
  /// - Throws: A refusal that names the member; the errors of ``run(on:of:_:)`` and of `check`.
  func json<Value: Decodable & Sendable>(
    _ type: Value.Type, _ request: Request, of caller: String, upTo limit: Int = 1 << 20,
    checking check: @escaping @Sendable (_ bytes: [UInt8]) throws -> Void = { _ in }
  ) async throws -> Value {
    try await read(request, of: caller, upTo: limit) { bytes in
      try JSONBody.value(type, of: bytes, checking: check)
    }
  }

  /// Decodes a body as JSON without unknown members; an empty one counts as `{}`.
  /// - Throws: A refusal that names the member, including an unknown one; the errors of ``run(on:of:_:)``.
  func checked<Value: CheckedBody & Sendable>(
    _ type: Value.Type, _ request: Request, of identity: Identity
  ) async throws -> Value {
    try await json(type, request, of: identity.name) { bytes in
      try type.members.check(JSONValue(strict: bytes, name: "The body"))
    }
  }
}

extension BodyWork {
  /// Writes a list of any length as a JSON object, in turn for its reader.
  /// - Throws: The errors of ``run(on:of:_:)``.
  func list(
    for reader: Identity, _ build: @escaping @Sendable (inout JSONText) -> Void
  ) async throws(HostError) -> Response {
    try await run(on: .max, of: reader.name) { () throws(HostError) in Response.json { build(&$0) } }
  }
}

/// A body as received, perhaps compressed.
struct ReceivedBody: Sendable {
  private let bytes: [UInt8]
  private let coding: String?
  private let limit: Int

  /// Receives a body.
  /// - Throws: A refusal above the limit, which is in bytes.
  init(_ request: Request, upTo limit: Int) async throws {
    bytes = try await request.bytes(upTo: limit)
    coding = request.headers[.contentEncoding]
    self.limit = limit
  }

  /// The maximum length of the decompressed body.
  private var longest: Int { ["", "identity"].contains(coding?.lowercased() ?? "") ? bytes.count : limit }

  /// Decompresses the body and runs work on it, in turn if it may be long.
  func read<Value: Sendable>(
    by bodies: BodyWork, of caller: String, _ work: @escaping @Sendable ([UInt8]) throws -> Value
  ) async throws -> Value {
    // The queue throws only errors of the host, so a refusal comes back as a value.
    try await bodies.run(on: longest, of: caller) { () throws(HostError) -> Result<Value, any Error> in
      Result { try work(ContentCoding.decoded(bytes, coding, upTo: limit)) }
    }.get()
  }
}
#endif
