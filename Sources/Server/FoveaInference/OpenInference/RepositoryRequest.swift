// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import Hummingbird

/// The body of a call to the model repository or to Fovea's own routes for models, which may be empty.
///
/// **Source:** Triton, "Model Repository Extension"; `tritonclient` sends `{}` for a load and
/// `{"parameters": {"unload_dependents": false}}` for an unload.
struct RepositoryRequest: Sendable {
  enum Call {
    case index, load, unload
    /// A call to Fovea's own routes, whose body has no members.
    case change

    /// The members of the body.
    var members: [String] {
      switch self {
      case .index: ["ready"]
      case .load, .unload: ["parameters"]
      case .change: []
      }
    }
  }

  /// Limits the index to the models that are ready.
  private(set) var isReady = false

  /// - Throws: A refusal that names an unknown member, or a parameter that the server does not support.
  init(_ body: [UInt8], _ call: Call) throws(Refusal) {
    guard !body.isEmpty else { return }
    do throws(JSONFailure) {
      var reader = JSONReader.body(body)
      try reader.object("an object") { (reader, member) throws(JSONFailure) in
        switch (call, member) {
        case (.index, "ready"): isReady = try reader.flag("'ready'")
        case (.load, "parameters"), (.unload, "parameters"):
          try RepositoryRequest.readParameters(&reader, call)
        default: throw reader.unknownMember(among: call.members)
        }
      }
      try reader.expectEnd()
    } catch {
      throw Refusal.malformed(error, remedy: "Send no body")
    }
  }

  private static func readParameters(_ reader: inout JSONReader, _ call: Call) throws(JSONFailure) {
    try reader.object("an object of parameters") { (reader, name) throws(JSONFailure) in
      // No model depends on another one.
      if call == .unload, name == "unload_dependents" {
        _ = try reader.flag("'unload_dependents'")
      } else if call == .load, name == "config" || name.hasPrefix("file:") {
        throw reader.notServed(
          name, why: "models are loaded from the server's folder, without another configuration")
      } else if call == .unload {
        throw reader.unknownMember(of: "'parameters'", among: ["unload_dependents"])
      } else {
        throw reader.unknownMember(of: "'parameters'", among: [])
      }
    }
  }
}

extension ImageReader {
  /// Calls `answer` with a call that changes or lists models.
  /// - Throws: A refusal that names an option in the query, or a member of the body, that the call does not
  ///   have; the errors of `answer`.
  func withModelRequest<R: Sendable>(
    _ request: Request, _ context: HTTPContext, _ call: RepositoryRequest.Call,
    _ answer: (RepositoryRequest) async throws -> R
  ) async throws -> R {
    let query = BodyQuery(options: call == .index ? call.members : [])
    return try await withBody(
      request, context, query: query, mayBeEmpty: true, as: { try RepositoryRequest($0, call) }, answer)
  }
}
#endif
