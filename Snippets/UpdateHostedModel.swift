// SPDX-License-Identifier: Apache-2.0
//
// Downloads a model from your own host, and rolls back if its newest version cannot be loaded:
//
//     export FOVEA_MODEL_HOST='http://127.0.0.1:8080/v1beta2/projects/demo/models/{name}:download?key=…'
//     swift run UpdateHostedModel bird

import FoveaModels
import FoveaRuntime

let example: HostAddress = try HostAddress("https://models.example/folder")
let host = try HostAddress.fromEnvironment()
if host == nil { print("\(HostAddress.variable) is not set; an address is \(example), for instance.") }

var options = ModelDownloader.Options()
options.deadline = .seconds(60)
let models: HostedModels = try HostedModels(host: host, options: options)
if let name = CommandLine.arguments.dropFirst().first {
  do throws(ModelStoreError) {
    try await models.update(name)
  } catch {
    // A model that was downloaded before works without a network.
    print("The host cannot be reached: \(error)")
  }
  if let hosted: HostedModel = try models.model(named: name) {
    // The first load of a version is its first-launch check: a version that fails twice is rolled back at the
    // third start.
    let model = try hosted.load { path in try Model(path: path) }
    print("\(hosted.name), version \(hosted.version ?? "unknown"), \(model.repairs.count) repairs")
  }
}
print("\(try models.list().count) models of a host are on this device.")
