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
    // A model whose graph and labels say it needs no setting of each server.
    case .activation(let value): "a \(value ?? "sigmoid or softmax") at the end of its graph"
    case .background(nil): "a background"
    case .background(true?): "a line for the background first in its labels"
    case .background(false?): "labels of the objects alone"
    case .family(let value):
      "'family' of the model in the file of --config" + (value.map { ": '\($0)'" } ?? "")
    case .labels: "'labels' of the model in the file of --config"
    case .normalization: "'normalize' of the model in the file of --config"
    case .pixelLimit: "--max-pixels of the server"
    case .raisedLimit: ""
    // A server evaluates nothing.
    case .otherModels, .runtimeSetup, .benchmark, .sequences, .unknownIDs: swift
    case .uprightBoxes: "'upright'"
    case .modelHost: "--host or FOVEA_MODEL_HOST"
    case .detector: "/v1/detect"
    case .labeler: "/v1/label, or 'classifier' of a detector"
    case .inspect: "'fovea model inspect'"
    case .check: "'fovea model check'"
    case .addMetadata(let arguments):
      "fovea model add-metadata" + (arguments.isEmpty ? "" : " \(arguments)")
    case .modelList: "'fovea model list'"
    case .replacing: ""
    case .download(let name): "'fovea model pull \(name)'"
    }
  }
}
#endif
