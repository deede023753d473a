// SPDX-License-Identifier: Apache-2.0

/// A download from a host that publishes versions: what it has is asked first, so that the file can be verified.
struct HostedInstall: Sendable {
  /// How often a host is asked for a new address of a file because the old one is too old.
  static let mostRenewals = 3

  let service: HostService
  let install: ModelInstall

  private var name: String { service.name }
  private var store: ModelStore { install.store }

  /// Installs the version that the host has for this device.
  /// - Returns: The model; the one that is there, where it is the same.
  func run() async throws(ModelStoreError) -> InstalledModel {
    try await install.locked(name, nil) { hasLock throws(ModelStoreError) in
      let present = await install.present(name, nil)
      return try await update(present, hasLock)
    }
  }

  private func update(
    _ present: InstalledModel?, _ hasLock: Bool
  ) async throws(ModelStoreError) -> InstalledModel {
    let parts = PartNames(name: name, layout: store.layout)
    var renewals = 0
    // The tag of one host is not sent to another.
    let tag = present?.url == service.information.shown ? present?.published?.tag : nil
    while true {
      let request = InfoRequest(
        service: service, settings: install.settings, tag: tag, progress: install.progress)
      let answer = try await request.run()
      if renewals == 0 {
        // A host that answers is there to hear of it.
        await TrialReports(service: service, settings: install.settings, layout: store.layout).send()
      }
      guard let info = answer, let offer = try choose(info, present) else {
        return try unchanged(present)
      }
      if let present, present.sha256 == offer.sha256 { return try renew(present, offer) }
      guard offer.byteCount <= install.settings.options.sizeLimit else { throw tooLarge(offer) }
      let order = ModelOrder(service, offer, parts: parts)
      // The beginning of another version is of no use any more.
      if hasLock { try parts.remove(but: order.partName) }
      switch try await install.install(order, present, hasLock) {
      case .installed(let model): return model
      case .unchanged: return try unchanged(present)
      case .expired(let failure):
        guard renewals < Self.mostRenewals else { throw failure }
        renewals += 1
      }
    }
  }
  /// The version for this device.
  /// - Returns: nil where the device left what the host has for it, so that it stays with what it has.
  private func choose(
    _ info: ModelInfo, _ present: InstalledModel?
  ) throws(ModelStoreError) -> ModelInfo.Offer? {
    var offers = [info.stable]
    if let draw = info.draw {
      let id: String?
      switch draw.unit {
      case .installation: id = try Installation.of(store.layout).id
      // Without a user there is no draw: the stable version is right.
      case .user: id = install.settings.options.user
      }
      let value = id.map { PercentHash.value(seed: draw.seed, id: $0) }
      if let value, let drawn = draw.choices.first(where: { value < $0.below }) {
        offers.insert(drawn.offer, at: 0)
      }
    }
    guard present != nil else { return offers[0] }
    let left = Trials.read(name, store.layout).left
    return offers.first { offer in offer.sha256.map { !left.contains($0) } ?? true }
  }

  /// Keeps what the host says now about the version that is there.
  private func renew(
    _ present: InstalledModel, _ offer: ModelInfo.Offer
  ) throws(ModelStoreError) -> InstalledModel {
    try store.versions(of: name).update(present.sha256) { $0.published = offer.published } ?? present
  }

  private func unchanged(_ present: InstalledModel?) throws(ModelStoreError) -> InstalledModel {
    guard let present else { throw store.origin.damaged(name, "it went away while the host was asked") }
    return present
  }

  private func tooLarge(_ offer: ModelInfo.Offer) -> ModelStoreError {
    ModelStoreError(
      .wrongSize,
      "The host announces \(offer.byteCount) bytes ('sizeBytes') instead of "
        + "\(install.settings.options.sizeLimit) at most",
      remedy: "Check that it is the model")
  }
}
