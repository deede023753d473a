// SPDX-License-Identifier: Apache-2.0
//
// Reads the name of the model to load from your own host, and logs the result:
//
//     export FOVEA_MODEL_HOST='http://127.0.0.1:8080/v1beta2/projects/demo/models/{name}:download?key=…'
//     swift run ConfigureAndLog

import FoveaModels
import FoveaRemoteConfig

var options = HostedConfig.Options()
options.minimumInterval = .seconds(3_600)
options.appVersion = "1.2.0"
do throws(ConfigError) {
  let config: HostedConfig = try HostedConfig(options: options)
  config.setDefaults(["model_name": "small"])
  do throws(ConfigError) { try await config.fetchAndActivate() } catch {
    print("Using the last values: \(error)")
  }
  let value: ConfigValue = config["model_name"]
  let source: ConfigSource = value.source
  print("\(value.text), \(source == .host ? "from the host" : "the app's default")")

  // Events that the app logs are sent to its host in batches; nothing is sent if it logs nothing.
  let log: ExperimentLog = try ExperimentLog(pause: nil)
  for variant: ConfigVariant in config.variants {
    let unit: ExperimentUnit = .installation
    try log.exposure(experiment: variant.experiment, variant: variant.variant, unit: unit)
    try log.metric("confirmed")
  }
  let report: EventReport = try await log.send()
  let refused: [EventReport.Refused] = report.refused
  print("\(report.taken) events taken, \(refused.count) refused")
  if CommandLine.arguments.contains("--listen") {
    for await update: Result<ConfigUpdate, ConfigError> in config.updates() { print(update) }
  }
  let fetch: ConfigFetch = try await config.fetch()
  print(fetch == .recent ? "The values are recent enough." : "The values were fetched from the host.")
} catch {
  let isMissing = error.code == ConfigCode.hostMissing
  print(isMissing ? "No host is set: \(error.remedy)" : "\(error)")
}
