// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaModels

/// `fovea model pull` of a model of a host of one's own: there is no licence to agree to, so nothing is asked.
struct HostedPull {
  let pull: ModelPull
  /// The text of the host's address; nil for that of `FOVEA_MODEL_HOST`.
  let host: String?

  /// The pull that a command means; nil for one of the catalogue.
  static func meant(by pull: ModelPull) -> HostedPull? {
    if let host = pull.host { return host.contains("{name}") ? HostedPull(pull: pull, host: host) : nil }
    // What is wrong with the catalogue is for the other pull to say.
    guard let catalogue = try? ModelCatalogue.standard(), catalogue[pull.name] == nil,
      Environment.value(HostAddress.variable) != nil
    else { return nil }
    return HostedPull(pull: pull, host: nil)
  }

  /// Runs to the end and gives the path of the model, or the exit code; everything was said by then.
  func execute() async -> Result<String, ModelPull.PullEnd> {
    let display = DownloadDisplay(descriptor: STDERR_FILENO, isQuiet: pull.isQuiet)
    defer { display.end() }
    let name = pull.name
    do throws(ModelStoreError) {
      var address: HostAddress?
      if let host { address = try HostAddress(host) }
      let models = try HostedModels(host: address)
      let before = try? models.model(named: name)
      let model = try await pull.stop.cancelling { () throws(ModelStoreError) in
        try await models.update(name) { display.show($0) }
      }
      display.end()
      if !pull.isQuiet {
        let version = model.version.map { " version \($0)" } ?? ""
        let state = before?.sha256 == model.sha256 ? "is installed and whole" : "is installed now"
        pull.say("fovea: \(name)\(version) \(state)\n")
      }
      return .success(model.path)
    } catch {
      display.end()
      return .failure(pull.end(error))
    }
  }
}
