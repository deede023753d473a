// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension HostService {
  /// Reads everything again after each outage of the database, until its task is cancelled: it may have stored
  /// changes whose callers got an error.
  func catchUp() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: .seconds(1))
      guard models.metadata.takeOutage() else { continue }
      // A failure is an outage, too.
      do throws(HostError) { try await readAgain() } catch { continue }
    }
  }

  private func readAgain() async throws(HostError) {
    authority.replace(try await models.metadata.keys())
    try await models.readAgain()
    try await config.start()
    try await experiments.start()
  }
}

extension ModelService {
  /// Reads all models into memory while others change them.
  fileprivate func readAgain() async throws(HostError) {
    let before = catalogue.models(project: project)
    let stored = try await metadata.models()
    for model in stored { catalogue.enter(model) }
    let left = Set(stored.map(\.id))
    for model in before where !left.contains(model.id) { catalogue.remove(project: project, id: model.id) }
  }
}
#endif
