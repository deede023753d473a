// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension Advice {
  /// The text in the words of ML Kit's and Firebase's names; tools are named as the command line calls them.
  var mlKit: String { text(\.mlKit) }
}

extension Advice.Term {
  fileprivate var mlKit: String {
    switch self {
    case .activation, .background, .family, .pixelLimit, .unknownIDs, .uprightBoxes: "Fovea's \(swift)"
    case .otherModels, .runtimeSetup, .benchmark, .sequences, .replacing: swift
    case .raisedLimit(let name): ", or raise Fovea's \(name) if you trust its source"
    case .labels: "labels in the model's metadata"
    case .normalization: "the option 'normalization'"
    case .modelHost: "ModelManager.host or FOVEA_MODEL_HOST"
    case .detector: "CustomObjectDetectorOptions(localModel:)"
    case .labeler: "CustomImageLabelerOptions(localModel:)"
    case .inspect: "'fovea model inspect'"
    case .check: "'fovea model check'"
    case .addMetadata(let arguments): "fovea model add-metadata" + (arguments.isEmpty ? "" : " \(arguments)")
    case .modelList: "'fovea model list'"
    case .download: "ModelManager.modelManager().download(_:conditions:)"
    }
  }
}
