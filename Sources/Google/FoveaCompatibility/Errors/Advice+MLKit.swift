// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension Advice {
  /// The text for the APIs of ML Kit and Firebase; tools have their command-line names.
  var mlKit: String { text(\.mlKit) }
}

extension Advice.Term {
  fileprivate var mlKit: String {
    switch self {
    case .option("labels", _): "labels in the model's metadata"
    case .option("normalize", _): "the option 'normalization'"
    case .option: "Fovea's \(swift)"
    case .raisedLimit(let name): ", or raise Fovea's \(name) if you trust its source"
    case .modelHost: "ModelManager.host or FOVEA_MODEL_HOST"
    case .detector: "CustomObjectDetectorOptions(localModel:)"
    case .labeler: "CustomImageLabelerOptions(localModel:)"
    case .command(let words, _) where words.hasPrefix("model pull "):
      "ModelManager.modelManager().download(_:conditions:)"
    case .command, .call, .segmenter, .embedder: program
    case .flag, .otherModels, .runtimeSetup: swift
    }
  }
}
