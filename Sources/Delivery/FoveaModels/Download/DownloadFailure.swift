// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension Advice {
  fileprivate static let later: Advice =
    "Download it again later, or set another host with \(term: .modelHost)"
  fileprivate static let checkAddress: Advice = "Check the address of \(term: .modelHost)"
  fileprivate static let checkNetwork: Advice =
    "Check the network and the proxy (https_proxy), or set another host with \(term: .modelHost)"

  /// The advice after a failure that keeps the partial file.
  static let downloadAgain: Advice = "Download it again; it resumes where it stopped"

  /// Returns the advice for wrong content: retry later, or log in first if it is a web page.
  static func after(_ head: HTTPHead) -> Advice {
    head.isPage ? "Open the address in a browser: the network may ask you to log in first" : later
  }
}

extension HTTPHead {
  /// Whether the content seems to be a web page, such as a network's login page.
  fileprivate var isPage: Bool { contentType == "text/html" }

  /// The note for a web page in an error; empty for other content.
  var pageNote: String { isPage ? ", a web page" : "" }
}

extension HTTPTransfer.Outcome {
  /// Returns the error of the transfer; nil if it succeeded.
  func failure(at address: DownloadAddress) -> ModelStoreError? {
    let place = address.shown
    if isLate {
      return ModelStoreError(
        .timeout, "\(place) did not send everything before the deadline", remedy: .downloadAgain)
    }
    if head.status >= 400 { return statusFailure(address) }
    switch result {
    case .ok, .stopped: return [0, 200, 206].contains(head.status) ? nil : statusFailure(address)
    case .wrongURL: return refusal(place)
    case .unreachable:
      return ModelStoreError(.unreachable, "\(place) cannot be reached: \(message)", remedy: .checkNetwork)
    case .connectTimeout:
      return ModelStoreError(.timeout, "\(place) does not answer: \(message)", remedy: .checkNetwork)
    case .stalled:
      return ModelStoreError(.timeout, "\(place) stopped sending: \(message)", remedy: .downloadAgain)
    case .cut:
      return ModelStoreError(
        .interrupted, "The connection to \(place) ended early: \(message)", remedy: .downloadAgain)
    case .notSecure:
      return ModelStoreError(
        .insecure, "The connection to \(place) is not secure: \(message)",
        remedy:
          "Check the clock and the certificates (apt-get install ca-certificates), or set "
          + "\(HTTPTransfer.certificatesVariable()) to your network's certificates")
    case .tooManyRedirects:
      return ModelStoreError(
        .serverError, "\(place) redirects too often: \(message)",
        remedy: .later)
    case .noFile:
      return ModelStoreError(
        .notFound, "There is no file at \(place), or it cannot be read", remedy: .checkAddress)
    case .other:
      return ModelStoreError(.serverError, "\(place) cannot be fetched: \(message)", remedy: .later)
    }
  }

  /// Returns the error for an address that is invalid or has a protocol that is not allowed.
  private func refusal(_ place: String) -> ModelStoreError {
    if let refusedLocation {
      let leads = "\(place) redirects to \(DownloadAddress.shown(refusedLocation)), which is not"
      return refusedLocation.lowercased().hasPrefix("http://")
        ? ModelStoreError(.insecure, "\(leads) encrypted (https)", remedy: .later)
        : ModelStoreError(.serverError, "\(leads) on a web server", remedy: .later)
    }
    // libcurl's message for an answer without a status line.
    return message.contains("HTTP/0.9")
      ? ModelStoreError(
        .serverError, "\(place) is not a web server: \(message)", remedy: .checkAddress)
      : ModelStoreError(.invalidOption, "\(place) cannot be fetched: \(message)", remedy: .checkAddress)
  }

  /// Returns the error of a status, with the server's own message.
  func statusFailure(_ address: DownloadAddress, detail: String? = nil) -> ModelStoreError {
    let answer = "\(address.shown) answered with status \(head.status)" + (detail.map { " (\($0))" } ?? "")
    switch head.status {
    case 404, 410:
      return ModelStoreError(
        .notFound, "\(answer): the server has no such file",
        remedy: "Check the name of the model and the address of \(term: .modelHost)")
    case 401, 403, 407:
      return ModelStoreError(
        .refused, "\(answer): the server, or a proxy, does not allow it",
        remedy:
          "Check user name and password of the host or proxy, or set another host with \(term: .modelHost)")
    case 408, 429, 500...:
      let pause = head.retryAfterSeconds().map { ", and asks to wait for \($0) s" } ?? ""
      return ModelStoreError(
        head.status == 429 ? .tooManyRequests : .serverError, answer + pause, remedy: .later)
    default:
      return ModelStoreError(.serverError, "\(answer), which does not answer the request", remedy: .later)
    }
  }
}

extension ModelStoreError {
  /// Converts the error of a request that could not be made.
  init(_ error: TransferError) {
    self.init(ModelStoreCode(rawValue: error.code.rawValue), error.message, remedy: error.remedy)
  }
}

extension HTTPTransfer {
  /// Runs the transfer like `run(into:)`.
  /// - Throws: `libraryMissing`.
  func run(filling receiver: some Receiver) async throws(ModelStoreError) -> Outcome {
    do throws(TransferError) { return try await run(into: receiver) } catch { throw ModelStoreError(error) }
  }

  /// Runs the transfer and returns the answer in memory.
  /// - Throws: `libraryMissing`, `cancelled`.
  func answer(limit: Int) async throws(ModelStoreError) -> HTTPAnswer {
    do throws(TransferError) { return try await HTTPAnswer.of(self, limit: limit) } catch {
      throw ModelStoreError(error)
    }
  }
}
