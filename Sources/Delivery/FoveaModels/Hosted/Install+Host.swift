// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension Install {
  /// Installs the version that a host offers this device; the host's answer has the checksum for the file.
  /// - Returns: The model; the installed one if it is the same.
  func run(_ service: VersionHost) async throws(ModelStoreError) -> InstalledModel {
    let layout = store.layout
    return try await run(service.name, lock: service.name) { present, renewals throws(ModelStoreError) in
      // A tag from one host is not sent to another.
      let tag = present?.url == service.information.shown ? present?.published?.tag : nil
      let answer = try await information(of: service, tag: tag)
      if renewals == 0 {
        // The host answers, so it can receive the reports.
        await LoadReportSender(service: service, settings: settings, layout: layout).send()
      }
      guard let info = answer, let offer = try choose(info, service.name, present) else { return nil }
      let isPresent = present.map { $0.sha256 == offer.sha256 } ?? false
      guard isPresent || offer.byteCount <= settings.options.sizeLimit else { throw tooLarge(offer) }
      return InstallRequest(service, offer, parts: PartialFileNames(name: service.name, layout: layout))
    }
  }

  /// Chooses the version for this device.
  /// - Returns: nil if the device abandoned all offered versions, so it keeps the installed one.
  private func choose(
    _ info: ModelInfo, _ name: String, _ present: InstalledModel?
  ) throws(ModelStoreError) -> ModelInfo.Offer? {
    var offers = [info.stable]
    if let assignment = info.assignment {
      let id: String?
      switch assignment.unit {
      case .installation: id = try InstallationID.of(store.layout).id
      // Without a user there is no assignment: the stable version is right.
      case .user: id = settings.options.user
      }
      let value = id.map { PercentHash.value(seed: assignment.seed, id: $0) }
      if let value, let choice = assignment.choices.first(where: { value < $0.below }) {
        offers.insert(choice.offer, at: 0)
      }
    }
    guard present != nil else { return offers[0] }
    let left = FirstLaunchRecord.read(name, store.layout).left
    return offers.first { offer in offer.sha256.map { !left.contains($0) } ?? true }
  }

  private func tooLarge(_ offer: ModelInfo.Offer) -> ModelStoreError {
    ModelStoreError(
      .wrongSize,
      "The host announces \(offer.byteCount) bytes ('sizeBytes') instead of "
        + "\(settings.options.sizeLimit) at most",
      remedy: "Check that the file is the model")
  }

  // MARK: Information

  /// Requests a model's information from a host, with retries.
  /// - Parameters:
  ///   - service: The host.
  ///   - tag: The tag of the installed version; nil if there is none.
  /// - Returns: nil if the host still has the version of `tag`.
  /// - Throws: `invalidInformation`, `notFound`, `refused` and the other codes of a download.
  private func information(
    of service: VersionHost, tag: String?
  ) async throws(ModelStoreError) -> ModelInfo? {
    var transfer = settings.transfer(service.information)
    // As in Google's SDKs, the tag has no quotation marks.
    if let tag = tag.flatMap(ModelInfo.tag) { transfer.headers = ["If-None-Match: \(tag)"] }
    var attempt = 0
    while true {
      attempt += 1
      let answer = try await transfer.answer(limit: ModelInfo.limit)
      let head = answer.outcome.head
      guard !answer.isTooLong else {
        throw service.invalid("it has more than \(ModelInfo.limit) bytes\(head.pageNote)")
      }
      if head.status == 304, let tag, answer.outcome.failure(at: service.information) != nil {
        guard head.rawTag.map({ ModelInfo.tag($0) == tag }) ?? true else {
          throw service.invalid("status 304 has a different tag from the one sent")
        }
        return nil
      }
      guard let failure = failure(answer, service.information) else {
        return try ModelInfo(json: answer.body, tag: head.rawTag, from: service)
      }
      guard answer.outcome.isTransient else { throw failure }
      try await settings.pause(after: attempt, head, failure: failure) {
        progress(DownloadProgress(phase: .retrying, bytesDone: 0, bytesTotal: nil))
      }
    }
  }

  private func failure(_ answer: HTTPAnswer, _ address: DownloadAddress) -> ModelStoreError? {
    guard answer.outcome.head.status >= 400, !answer.outcome.isLate else {
      return answer.outcome.failure(at: address)
    }
    // Any server or proxy may answer: a body without a message adds nothing to the status.
    let body = try? JSONValue.decode(AnswerText.ErrorBody.self, from: answer.body)
    let detail = body?.error?.message.map(AnswerText.short) ?? ""
    var failure = answer.outcome.statusFailure(address, detail: detail.isEmpty ? nil : detail)
    // Google's SDKs read it this way.
    if answer.outcome.head.status == 400 { failure.code = .invalidOption }
    return failure
  }
}
