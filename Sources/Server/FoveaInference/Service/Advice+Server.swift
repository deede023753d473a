// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore

extension Advice {
  /// The text in the words of the one who starts a server.
  package var served: String { text(\.served) }

  /// The text in the words of a server's callers, who have no program but their own.
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
    case .labeler: "/v1/label, or 'classifier' of a detector"
    default: program
    }
  }

  /// An option of a served model; what its graph and labels can say needs no setting of each server.
  private static func setting(_ name: String, _ value: String?) -> String {
    switch name {
    case "activation": "a \(value ?? "sigmoid or softmax") at the end of its graph"
    case "background":
      switch value {
      case nil: "a background"
      case "first": "a line for the background first in its labels"
      default: "labels of the objects alone"
      }
    case "max-pixels": "\(Self.flag(name).program) of the server"
    default:
      "'\(name)' of the model in the file of \(Self.flag("config").program)"
        + (name == "family" ? value.map { ": '\($0)'" } ?? "" : "")
    }
  }
}
#endif
