// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

// Model versions as named by other servers' protocols.
extension ModelRegistry {
  /// Returns the model with a name and a version; nil accepts any version.
  /// - Throws: The errors of `model(_:for:within:)`, and 404 for another version.
  func model(_ name: String?, version: String?, within limit: Duration) async throws -> ServedModel {
    let model = try await model(name, within: limit)
    try ModelRegistry.check(version, of: model.name, model.version)
    return model
  }

  /// Returns the place of a model with a version; nil accepts any version.
  /// - Throws: 404 for an unknown name or version.
  func place(_ name: String?, version: String?) throws(Refusal) -> ModelPlace {
    let place = try place(name)
    try ModelRegistry.check(version, of: place.entry.name, place.facts?.version ?? 1)
    return place
  }

  private static func check(_ version: String?, of name: String, _ present: Int) throws(Refusal) {
    // The client of OpenVINO's model server requests version 0 if its caller gives none.
    guard let version, version != "0", version != String(present) else { return }
    throw Refusal(
      .notFound, "model-unknown",
      "The model '\(name)' has only the version \(present), not '\(version.prefix(20))'",
      remedy: "Omit the version, or request that one")
  }

  /// Returns the model's name for a Roboflow id: a model named `birds/3`, or else `birds` if its version is
  /// 3.
  /// - Throws: 404 if there is none.
  func name(ofRoboflow id: String) throws(Refusal) -> String {
    guard !has(id), let slash = id.lastIndex(of: "/"), has(String(id[..<slash])) else {
      return try place(id).entry.name
    }
    return try place(String(id[..<slash]), version: String(id[id.index(after: slash)...])).entry.name
  }

  /// Returns the model's name for a detector of DOODS; nil, for the first model, if it is `default` and no
  /// model has that name.
  func name(ofDetector name: String) -> String? { name == "default" && !has(name) ? nil : name }

  /// Returns the ids of models for Roboflow's clients: names and aliases of detectors and classifiers.
  /// - Parameter id: The id in a client's request, listed too if it has a model, as `birds/3` of `birds`:
  ///   the SDK finds a model in the list only by the id that it sent. nil for none.
  /// - Returns: The ids and the tasks of their models.
  func roboflowIDs(with id: String? = nil) -> [(id: String, task: ServedTask)] {
    let asked = id.flatMap { try? name(ofRoboflow: $0) }
    return places.flatMap { place -> [(id: String, task: ServedTask)] in
      guard let task = place.facts?.task, task.isForClients else { return [] }
      var ids = [place.entry.name] + place.entry.aliases
      if let id, asked == place.entry.name, !ids.contains(id) { ids.append(id) }
      return ids.map { ($0, task) }
    }
  }

  private func has(_ name: String) -> Bool { places.contains { $0.entry.isCalled(name) } }
}

extension HTTPContext {
  /// The model's name in the path, decoded; nil if the path has none.
  var modelName: String? { parameters.get("model").map { PercentText.decode($0) ?? $0 } }
}
#endif
