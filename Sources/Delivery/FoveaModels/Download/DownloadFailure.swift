// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension HTTPTransfer.Outcome {
  /// The error that the transfer ended with; nil where it brought what was asked for.
  func failure(at address: DownloadAddress) -> ModelStoreError? {
    if isLate {
      return ModelStoreError(
        .timeout, "\(address.shown) did not send everything before the deadline",
        remedy: "Download it again; it continues where it ended")
    }
    if head.status >= 400 { return statusFailure(address) }
    let place = address.shown
    switch result {
    case .ok, .stopped:
      return [0, 200, 206].contains(head.status) ? nil : statusFailure(address)
    case .wrongURL:
      if let refusedLocation {
        guard refusedLocation.lowercased().hasPrefix("http://") else {
          return ModelStoreError(
            .serverError,
            "\(place) leads on to \(DownloadAddress.shown(refusedLocation)), which is not on a web server",
            remedy: "Download it again later, or name another host with \(term: .modelHost)")
        }
        return ModelStoreError(
          .insecure,
          "\(place) leads on to \(DownloadAddress.shown(refusedLocation)), which is not encrypted (https)",
          remedy: "Download it again later, or name another host with \(term: .modelHost)")
      }
      guard !message.contains("HTTP/0.9") else {
        // libcurl's word for an answer without a line of status.
        return ModelStoreError(
          .serverError, "What answers at \(place) is not a web server: \(message)",
          remedy: "Check the address of \(term: .modelHost)")
      }
      return ModelStoreError(
        .invalidOption, "\(place) cannot be fetched: \(message)",
        remedy: "Check the address of \(term: .modelHost)")
    case .unreachable:
      return ModelStoreError(
        .unreachable, "\(place) cannot be reached: \(message)",
        remedy: "Check the network and the proxy (https_proxy), or name another host with \(term: .modelHost)"
      )
    case .connectTimeout:
      return ModelStoreError(
        .timeout, "\(place) does not answer: \(message)",
        remedy: "Check the network and the proxy (https_proxy), or name another host with \(term: .modelHost)"
      )
    case .stalled:
      return ModelStoreError(
        .timeout, "\(place) stopped sending: \(message)",
        remedy: "Download it again; it continues where it ended")
    case .cut:
      return ModelStoreError(
        .interrupted, "The connection to \(place) ended early: \(message)",
        remedy: "Download it again; it continues where it ended")
    case .notSecure:
      return ModelStoreError(
        .insecure, "The connection to \(place) is not secure: \(message)",
        remedy:
          "Check the clock and the certificates (apt-get install ca-certificates), or name in SSL_CERT_FILE the"
          + " certificates of your network")
    case .tooManyRedirects:
      return ModelStoreError(
        .serverError, "\(place) leads from one address to the next without an end: \(message)",
        remedy: "Download it again later, or name another host with \(term: .modelHost)")
    case .noFile:
      return ModelStoreError(
        .notFound, "There is no file at \(place), or it cannot be read",
        remedy: "Check the address of \(term: .modelHost)"
      )
    case .other:
      return ModelStoreError(
        .serverError, "\(place) cannot be fetched: \(message)",
        remedy: "Download it again later, or name another host with \(term: .modelHost)")
    }
  }

  /// The error of a status, with what the server says about it.
  func statusFailure(_ address: DownloadAddress, detail: String? = nil) -> ModelStoreError {
    let answer =
      "\(address.shown) answered with status \(head.status)" + (detail.map { " (\($0))" } ?? "")
    switch head.status {
    case 404, 410:
      return ModelStoreError(
        .notFound, "\(answer): the server has no such file",
        remedy: "Check the name of the model and the address of \(term: .modelHost)")
    case 401, 403, 407:
      return ModelStoreError(
        .refused, "\(answer): the server, or a proxy, does not allow it",
        remedy:
          "Check user name and password of the host or proxy, or name another host with \(term: .modelHost)")
    case 408, 429, 500...:
      let pause = head.retryAfterSeconds().map { ", and asks to wait for \($0) s" } ?? ""
      return ModelStoreError(
        head.status == 429 ? .tooManyRequests : .serverError, answer + pause,
        remedy: "Download it again later, or name another host with \(term: .modelHost)")
    default:
      return ModelStoreError(
        .serverError, "\(answer), which does not answer the request",
        remedy: "Download it again later, or name another host with \(term: .modelHost)")
    }
  }
}

extension ModelStoreError {
  /// The error of a request that could not be made.
  init(_ error: TransferError) {
    self.init(ModelStoreCode(rawValue: error.code.rawValue), error.message, remedy: error.remedy)
  }
}

extension HTTPTransfer {
  /// Runs the transfer as `run(into:)` does.
  /// - Throws: `libraryMissing`.
  func run(filling receiver: some Receiver) async throws(ModelStoreError) -> Outcome {
    do throws(TransferError) { return try await run(into: receiver) } catch { throw ModelStoreError(error) }
  }

  /// Runs the transfer for an answer in memory.
  /// - Throws: `libraryMissing`, `cancelled`.
  func answer(limit: Int) async throws(ModelStoreError) -> HTTPAnswer {
    do throws(TransferError) {
      return try await HTTPAnswer.of(self, limit: limit)
    } catch {
      throw ModelStoreError(error)
    }
  }
}
