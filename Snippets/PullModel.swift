// SPDX-License-Identifier: Apache-2.0
//
// Lists the models that have names, and downloads one of them. Nothing is downloaded unless a name is given:
//
//     swift run PullModel coco-ssd-mobilenet-v1

import FoveaModels

let store = try ModelStore.user()
let catalogue: ModelCatalogue = store.catalogue
for entry: CatalogueEntry in catalogue.entries {
  let size: CatalogueEntry.InputSize? = entry.inputSize
  let purpose = entry.task == CatalogueEntry.Task.detect ? "boxes" : "labels"
  let state = try store.installedModel(named: entry.name) == nil ? "not installed" : "installed"
  print("\(entry.name): \(purpose), \(size?.width ?? 0) pixels wide, \(entry.license), \(state)")
}

// A path stays a path; a name becomes the file of an installed model, or an error with the command to install
// it.
do throws(ModelStoreError) {
  let path = try ModelStore.path(for: "coco-ssd-mobilenet-v1")
  print("load \(path)")
} catch {
  print(error.code == ModelStoreCode.notInstalled ? "Not yet: \(error)" : "\(error)")
}

if let name = CommandLine.arguments.dropFirst().first {
  var options = ModelDownloader.Options()
  options.attempts = 5
  let downloader = try ModelDownloader(store: store, options: options)
  let plan: DownloadPlan = try await downloader.plan(for: name)
  print("\(plan.byteCount ?? 0) bytes, \(plan.entry.license), from \(plan.url)")
  let model: InstalledModel = try await downloader.download(plan) { (progress: DownloadProgress) in
    if progress.phase == DownloadProgress.Phase.verifying { print("\(progress.bytesDone) bytes downloaded") }
  }
  print("installed at \(model.path)")
}
