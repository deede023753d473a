// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaModels

/// `fovea model pull` from the user's own host: there is no licence to accept, so it does not ask.
struct HostedPull {
  let pull: ModelPull
  /// The text of the host's address; nil for the value of `FOVEA_MODEL_HOST`.
  let host: String?

  /// Returns the hosted pull that a command asks for; nil if the model is from the catalogue.
  static func meant(by pull: ModelPull) -> HostedPull? {
    if let host = pull.host { return host.contains("{name}") ? HostedPull(pull: pull, host: host) : nil }
    // A broken catalogue is reported by the other pull.
    guard let catalogue = try? ModelCatalogue.standard(), catalogue[pull.name] == nil,
      Environment.value(HostAddress.variable) != nil
    else { return nil }
    return HostedPull(pull: pull, host: nil)
  }

  /// Runs to completion and returns the model's path or the exit code; all messages are printed by then.
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
        let state = before?.sha256 == model.sha256 ? "is installed and intact" : "is installed now"
        pull.say("fovea: \(name)\(version) \(state)\n")
      }
      return .success(model.path)
    } catch {
      display.end()
      return .failure(pull.end(error))
    }
  }
}
