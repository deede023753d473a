// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaJSON

/// Asks a host which version of a model there is.
struct InfoRequest {
  let service: HostService
  let settings: TransferSettings
  /// What the installed version was described by; nil where there is none.
  let tag: String?
  let progress: @Sendable (DownloadProgress) -> Void

  /// Asks until there is an answer.
  /// - Returns: nil where the host has nothing but what `tag` is of.
  /// - Throws: `invalidInformation`, `notFound`, `refused` and the other codes of a download.
  func run() async throws(ModelStoreError) -> ModelInfo? {
    var transfer = settings.transfer(service.information)
    // As Google's SDKs do: the tag as it is, without quotation marks.
    if let tag = tag.flatMap(ModelInfo.tag) { transfer.headers = ["If-None-Match: \(tag)"] }
    var attempt = 0
    while true {
      attempt += 1
      let answer = try await transfer.answer(limit: ModelInfo.limit)
      let head = answer.outcome.head
      guard !answer.isTooLong else {
        throw service.invalid("it has more than \(ModelInfo.limit) bytes\(ModelReceiver.kind(head))")
      }
      if head.status == 304, let tag, answer.outcome.failure(at: service.information) != nil {
        guard head.rawTag.map({ ModelInfo.tag($0) == tag }) ?? true else {
          throw service.invalid("status 304 has another tag than the one that was sent")
        }
        return nil
      }
      guard let failure = failure(answer) else {
        return try ModelInfo(json: answer.body, tag: head.rawTag, from: service)
      }
      guard answer.outcome.isTransient else { throw failure }
      try await settings.pause(after: attempt, head, failure: failure) {
        progress(DownloadProgress(phase: .retrying, bytesDone: 0, bytesTotal: nil))
      }
    }
  }

  private func failure(_ answer: HTTPAnswer) -> ModelStoreError? {
    let address = service.information
    guard answer.outcome.head.status >= 400, !answer.outcome.isLate else {
      return answer.outcome.failure(at: address)
    }
    let body = try? UntrustedJSON().decode(AnswerText.ErrorBody.self, from: answer.body[...])
    let detail = body?.error?.message.map(AnswerText.short) ?? ""
    var failure = answer.outcome.statusFailure(address, detail: detail.isEmpty ? nil : detail)
    // As Google's SDKs read it.
    if answer.outcome.head.status == 400 { failure.code = .invalidOption }
    return failure
  }
}
