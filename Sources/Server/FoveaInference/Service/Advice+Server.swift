// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore

extension Advice {
  /// The text for the operator who starts a server.
  package var served: String { text(\.served) }

  /// The text for a server's callers, who use only their own programs.
  package var asked: String { text(\.asked) }
}

extension Advice.Term {
  fileprivate var asked: String {
    switch self {
    case .inspect: "GET /v1/models"
    case .modelList: "the server's own list"
    default: served
    }
  }

  fileprivate var served: String {
    switch self {
    case .option(let name, let value): Self.setting(name, value)
    case .modelHost: "\(Self.flag("host").program) or FOVEA_MODEL_HOST"
    case .detector: "/v1/detect"
    case .labeler: "/v1/label, or a detector's 'classifier',"
    case .layer: "\(program) of \(Self.command("embed").program)"
    default: program
    }
  }

  /// Returns the term for an option of a served model, with a value that its configuration can have.
  private static func setting(_ name: String, _ value: String?) -> String {
    guard name != "max-pixels" else { return "\(Self.flag(name).program) on the server" }
    let hasValue = ["activation", "background", "family"].contains(name)
    return "'\(name)' for the model in the file of \(Self.flag("config").program)"
      + (hasValue ? value.map { ": '\($0)'" } ?? "" : "")
  }
}
#endif
