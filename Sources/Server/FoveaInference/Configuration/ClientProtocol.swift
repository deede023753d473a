// SPDX-License-Identifier: Apache-2.0
#if Server
/// A protocol of another server that clients of it find here, besides Fovea's own.
package enum ClientProtocol: String, Sendable, CaseIterable {
  case autoML = "automl"
  case cloudVision = "cloud-vision"
  case deepStack = "deepstack"
  case doods
  case openInference = "open-inference"
  case roboflow
  case vertex

  /// Its name in a text for people.
  package var title: String {
    switch self {
    case .autoML: "AutoML container"
    case .cloudVision: "Cloud Vision"
    case .deepStack: "DeepStack"
    case .doods: "DOODS"
    case .openInference: "Open Inference Protocol"
    case .roboflow: "Roboflow"
    case .vertex: "Vertex AI"
    }
  }
}

/// Protocols with commas between them, as `deepstack,doods`; `all` is each that there is, `none` leaves Fovea's own alone.
package struct ClientProtocolList: Sendable, Equatable, CustomStringConvertible {
  package let protocols: Set<ClientProtocol>

  /// The names in alphabetical order: a set has none of its own.
  package var description: String { protocols.map(\.rawValue).sorted().joined(separator: ",") }

  /// Reads a list; nil for a name that is no protocol's.
  package init?(_ text: String) {
    switch text {
    case "all": protocols = Set(ClientProtocol.allCases)
    case "none": protocols = []
    default:
      let names = text.split(separator: ",", omittingEmptySubsequences: false)
      let known = names.compactMap { ClientProtocol(rawValue: String($0)) }
      guard known.count == names.count else { return nil }
      protocols = Set(known)
    }
  }
}
#endif
