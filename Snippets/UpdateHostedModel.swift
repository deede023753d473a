// SPDX-License-Identifier: Apache-2.0
//
// Gets a model from a host of one's own, and goes back where its newest version cannot be loaded:
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
    // What was downloaded before works without a network.
    print("The host cannot be asked: \(error)")
  }
  if let hosted: HostedModel = try models.model(named: name) {
    // The first load of a version is its trial: at the third start that it does not outlive, the one before it is loaded.
    let model = try hosted.load { path in try Model(path: path) }
    print("\(hosted.name), version \(hosted.version ?? "unknown"), \(model.repairs.count) repairs")
  }
}
print("\(try models.list().count) models of a host are on this device.")
