// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

// Versions of models, as protocols of other servers name them.
extension ModelRegistry {
  /// The model of that name in that version; in any where none is given.
  /// - Throws: As `model(_:for:within:)`, and 404 for another version.
  func model(_ name: String?, version: String?, within limit: Duration) async throws -> ServedModel {
    let model = try await model(name, within: limit)
    try ModelRegistry.check(version, of: model.name, model.version)
    return model
  }

  /// The place of a model, in that version; in any where none is given.
  /// - Throws: 404 for a name or a version that is not there.
  func place(_ name: String?, version: String?) throws(Refusal) -> ModelPlace {
    let place = try place(name)
    try ModelRegistry.check(version, of: place.entry.name, place.facts?.version ?? 1)
    return place
  }

  private static func check(_ version: String?, of name: String, _ present: Int) throws(Refusal) {
    // The client of OpenVINO's model server asks for version 0 where its caller names none.
    guard let version, version != "0", version != String(present) else { return }
    throw Refusal(
      .notFound, "model-unknown",
      "The model '\(name)' has the version \(present) alone, not '\(version.prefix(20))'",
      remedy: "Leave the version out, or ask for that one")
  }

  /// The name of the model that an id of Roboflow's means: a model that is called so, as `birds/3`, else `birds` where that
  /// is its version.
  /// - Throws: 404 where there is none.
  func name(ofRoboflow id: String) throws(Refusal) -> String {
    guard !has(id), let slash = id.lastIndex(of: "/"), has(String(id[..<slash])) else {
      return try place(id).entry.name
    }
    return try place(String(id[..<slash]), version: String(id[id.index(after: slash)...])).entry.name
  }

  /// The ids by which Roboflow's clients find a model, with its task: its name and its second names.
  var roboflowIDs: [(id: String, task: String)] {
    places.flatMap { place in
      place.facts.map { facts in ([place.entry.name] + place.entry.aliases).map { ($0, facts.task) } } ?? []
    }
  }

  private func has(_ name: String) -> Bool { places.contains { $0.entry.isCalled(name) } }
}

extension HTTPContext {
  /// The name of a model that the path has, without escapes; nil where it has none.
  var modelName: String? { parameters.get("model").map { PercentText.decode($0) ?? $0 } }
}
#endif
