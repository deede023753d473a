// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaModels

/// What the catalogue offers and what is installed, as `fovea model list` shows it.
struct ModelInventory {
  enum State: Equatable {
    /// A part of the program.
    case embedded(EmbeddedModel)
    case absent
    case installed(InstalledModel)
    /// Installed, but not the version that the catalogue has.
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
    /// nil for a model that no catalogue knows.
    var entry: CatalogueEntry?
    var state: State
    /// Whether it is of a model host.
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
    /// Where it comes from: the catalogue, or the address of its host and the version there.
    var from: String? {
      guard isHosted else { return embedded == nil ? "catalogue" : nil }
      guard let model else { return "host" }
      return model.host + (model.publishedVersion.map { ", version \($0)" } ?? "")
    }
    var license: String? { entry?.license ?? model?.license ?? embedded.map { _ in "Apache-2.0" } }
  }

  let folder: String
  /// The embedded models, then those of the catalogue in its order, then what else is there, then those of a host.
  let rows: [Row]

  /// What there is in the store of the catalogue's models and in that of a host's.
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
  /// A table, and where the models are.
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

  /// The same as one line of JSON.
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
