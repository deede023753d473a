// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaModels

/// The available and the installed models, as `fovea model list` shows them.
struct ModelInventory {
  enum State: Equatable {
    /// Embedded in the program.
    case embedded(EmbeddedModel)
    case absent
    case installed(InstalledModel)
    /// Installed in another version than the catalogue's.
    case otherVersion(InstalledModel)
    case damaged(ModelStoreError)

    var text: String {
      switch self {
      case .embedded: "embedded"
      case .absent: "–"
      case .installed: "installed"
      case .otherVersion: "other version"
      case .damaged: "damaged"
      }
    }
  }

  struct Row: Equatable {
    var name: String
    /// nil for a model that is not in the catalogue.
    var entry: CatalogueEntry?
    var state: State
    /// Whether it is from a model host.
    var isHosted = false

    var model: InstalledModel? {
      switch state {
      case .installed(let model), .otherVersion(let model): model
      case .embedded, .absent, .damaged: nil
      }
    }
    var embedded: EmbeddedModel? { if case .embedded(let model) = state { model } else { nil } }
    var task: String? { entry?.task.description ?? embedded.map { $0 == .classifier ? "label" : "detect" } }
    var byteCount: Int? { entry?.byteCount ?? model?.byteCount ?? embedded?.byteCount }
    /// The origin: the catalogue, or the host's address and the version there.
    var from: String? {
      guard isHosted else { return embedded == nil ? "catalogue" : nil }
      guard let model else { return "host" }
      return model.host + (model.publishedVersion.map { ", version \($0)" } ?? "")
    }
    var license: String? { entry?.license ?? model?.license ?? embedded.map { _ in "Apache-2.0" } }
  }

  let folder: String
  /// The embedded models, the catalogue's in its order, other installed models, then those of a host.
  let rows: [Row]

  /// Lists the models of the catalogue's store and of a host's store.
  init(_ store: ModelStore, hosted: ModelStore) throws(ModelStoreError) {
    folder = store.folder
    let others = try store.installedNames().filter { store.catalogue[$0] == nil }
    var rows = EmbeddedModel.allCases.map { Row(name: $0.rawValue, entry: nil, state: .embedded($0)) }
    for entry in store.catalogue.entries {
      rows.append(Row(name: entry.name, entry: entry, state: Self.state(of: entry.name, entry, store)))
    }
    for name in others { rows.append(Row(name: name, entry: nil, state: Self.state(of: name, nil, store))) }
    for name in try hosted.installedNames() {
      rows.append(Row(name: name, entry: nil, state: Self.state(of: name, nil, hosted), isHosted: true))
    }
    self.rows = rows
  }

  private static func state(of name: String, _ entry: CatalogueEntry?, _ store: ModelStore) -> State {
    do throws(ModelStoreError) {
      guard let model = try store.installedModel(named: name) else { return .absent }
      return entry.map { $0.sha256 == model.sha256 } ?? true ? .installed(model) : .otherVersion(model)
    } catch {
      return .damaged(error)
    }
  }
}

extension ModelInventory {
  /// A table, and the folder of the models.
  var text: String {
    let cells =
      [["NAME", "TASK", "SIZE", "LICENCE", "STATE", "FROM"]]
      + rows.map { row in
        [
          row.name, row.task ?? "–", row.byteCount.map(DecimalText.bytes) ?? "unknown",
          row.license ?? "–", row.state.text, row.from ?? "–",
        ]
      }
    return TextTable.text(cells, leftAligned: [0, 1, 3, 4, 5]) + "folder: \(folder.printable)\n"
  }

  /// The same inventory as one line of JSON.
  var json: String {
    JSONText.text { json in
      json.member("folder", folder)
      json.key("models")
      json.array(rows) { json, row in row.append(to: &json) }
    }
  }
}

extension ModelInventory.Row {
  fileprivate func append(to json: inout JSONText) {
    json.object { json in
      json.member("name", name)
      json.member("task", task)
      json.member("family", entry?.family)
      json.member("labels", entry?.labelCount)
      json.key("input")
      if let size = entry?.inputSize {
        json.array([size.width, size.height]) { json, side in json.integer(side) }
      } else {
        json.null()
      }
      json.member("license", license)
      json.member("bytes", byteCount)
      json.member("url", entry?.url ?? model?.url)
      json.member("sha256", entry?.sha256 ?? model?.sha256)
      json.member("state", stateName)
      json.member("path", model?.path)
      json.member("from", fromName)
      json.member("version", model.flatMap(\.publishedVersion))
    }
  }

  private var fromName: String {
    if isHosted { return "host" }
    return embedded == nil ? "catalogue" : "embedded"
  }

  private var stateName: String {
    switch state {
    case .embedded: "embedded"
    case .absent: "absent"
    case .installed: "installed"
    case .otherVersion: "other-version"
    case .damaged: "damaged"
    }
  }
}
