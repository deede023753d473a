// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaModels
import FoveaTraining

/// Resolves `--backbone`.
enum BackboneLookup {
  /// Returns the backbones of an argument; `auto` means the embedded classifier and all installed classifiers
  /// of the catalogue.
  static func backbones(_ argument: String) throws(FoveaError) -> [Backbone] {
    guard argument == "auto" else { return [try backbone(argument)] }
    var found = [Backbone.embedded]
    do throws(ModelStoreError) {
      let store = try ModelStore.user()
      for entry in store.catalogue.entries where entry.task == .label {
        guard let model = try store.installedModel(named: entry.name) else { continue }
        found.append(Backbone(name: entry.name, source: .file(model.path), licence: model.license))
      }
    } catch {
      throw FoveaError(error)
    }
    return found
  }

  private static func backbone(_ argument: String) throws(FoveaError) -> Backbone {
    if argument == Backbone.embedded.name { return .embedded }
    let source = try ModelLookup.source(argument) as ModelSource
    if source == Backbone.embedded.source { return .embedded }
    guard argument != source.path else { return Backbone(name: lastPart(argument), source: source) }
    return Backbone(name: argument, source: source, licence: try licence(ofInstalled: argument))
  }

  /// Returns the licence of an installed model; nil if its source declares none.
  private static func licence(ofInstalled name: String) throws(FoveaError) -> String? {
    do throws(ModelStoreError) { return try ModelStore.user().installedModel(named: name)?.license } catch {
      throw FoveaError(error)
    }
  }

  private static func lastPart(_ path: String) -> String {
    path.split(separator: "/").last.map { String($0) } ?? path
  }
}
