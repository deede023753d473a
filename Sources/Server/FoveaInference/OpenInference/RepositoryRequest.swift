// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP

/// The body of a call to the model repository, which may be empty.
///
/// **Source:** Triton, "Model Repository Extension"; `tritonclient` sends `{}` for a load and
/// `{"parameters": {"unload_dependents": false}}` for an unload.
struct RepositoryRequest {
  enum Call {
    case index, load, unload
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
        default: throw reader.unknownMember(among: [call == .index ? "ready" : "parameters"])
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
        throw reader.mismatch("'parameters' has no member '\(name.prefix(40))'", "it has none")
      }
    }
  }
}
#endif
