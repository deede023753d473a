// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaModels

/// Sends requests to an S3 server: signed, repeated after passing failures, never redirected.
package struct S3Client: Sendable {
  /// Waits some seconds.
  package typealias Pause = @Sendable (_ seconds: Double) async -> Void

  /// The number of repetitions of a request.
  static let mostRepetitions = 4

  let address: S3Address
  let credentials: S3CredentialPlace
  let now: Now
  /// Larger objects are sent in parts, in bytes.
  var largestWhole: Int64 = 64 << 20
  /// The size of a part, in bytes.
  var part = 16 << 20
  private let pause: Pause
  private let breaker = S3Breaker()

  /// - Parameters:
  ///   - address: The bucket.
  ///   - credentials: The place of the key.
  ///   - now: The clock, which must be within 15 minutes of the server's.
  ///   - pause: Waits between repetitions.
  package init(
    _ address: S3Address, credentials: S3CredentialPlace, now: @escaping Now,
    pause: @escaping Pause = { try? await Task.sleep(for: .seconds($0)) }
  ) {
    (self.address, self.credentials, self.now, self.pause) = (address, credentials, now, pause)
  }

  /// Returns an address with which anyone can read an object for a while, with GET only.
  func presigned(_ key: String, lifetime: Int) async throws(HostError) -> String {
    let path = address.path(key)
    let query = try await signature().query(path, host: address.host, lifetime: lifetime)
    return "\(address.endpoint)\(path)?\(query)"
  }

  /// Sends a request, and repeats it up to four times if the failure may pass.
  /// - Parameters:
  ///   - call: The request.
  ///   - isObject: True for an answer that is hashed instead of kept.
  ///   - file: The file to which the object is written.
  /// - Returns: The answer, which may be a refusal.
  /// - Throws: `unavailable` without an answer; `cancelled`; `invalid` for the credentials; errors of the
  ///   disk.
  func send(
    _ call: S3Call, isObject: Bool = false, file: FileUpload? = nil
  ) async throws(HostError) -> S3Reply {
    var repetitions = 0
    while true {
      try breaker.admit(at: now())
      let receiver = S3Receiver(isObject: isObject, file: file)
      let outcome = try await attempt(call, receiver)
      guard !Task.isCancelled else { throw .cancelled }
      if let fault = receiver.fault { throw fault }
      let reply = S3Reply(outcome: outcome, body: receiver.body, sums: receiver.sums)
      guard reply.isTransient else {
        guard outcome.result == .ok else { throw reply.error(at: address) }
        breaker.succeed()
        return reply
      }
      breaker.fail(at: now())
      guard repetitions < Self.mostRepetitions else { throw reply.error(at: address) }
      repetitions += 1
      await pause(Double.random(in: 0...0.1 * Double(1 << repetitions)))
      try await file?.takeBack()
    }
  }

  private func attempt(
    _ call: S3Call, _ receiver: S3Receiver
  ) async throws(HostError) -> HTTPTransfer.Outcome {
    let path = address.path(call.key)
    var headers = call.headers
    headers["host"] = address.host
    let signed = try await signature().headers(
      call.method, path, query: call.query, headers: headers, digest: call.digest)
    let query = S3Signature.text(of: call.query)
    var transfer = HTTPTransfer(
      address: DownloadAddress(
        url: address.endpoint + path + (query.isEmpty ? "" : "?" + query),
        allowsHTTP: address.endpoint.hasPrefix("http://"), allowsFile: false),
      connectTimeout: .seconds(5), stallTimeout: .seconds(20))
    // Redirects are not followed, because the method is named: no other address is contacted.
    transfer.method = call.method
    transfer.isHeadOnly = call.method == "HEAD"
    transfer.headers = signed.filter { $0.key != "host" }.map { "\($0.key): \($0.value)" } + ["Expect:"]
    var file: FileBlob?
    switch call.body {
    case .none: if call.method == "POST" || call.method == "PUT" { transfer.body = [] }
    case .bytes(let bytes): transfer.body = bytes
    case .file(let path):
      let opened = try await BlockingWork.run { _ throws(HostError) in try FileBlob(path: path) }
      file = opened
      transfer.bodyFile = (opened.file, Int(opened.size))
    }
    defer { withExtendedLifetime(file) {} }
    do throws(TransferError) { return try await transfer.run(into: receiver) } catch {
      guard error.code != .cancelled else { throw .cancelled }
      throw HostError(.unavailable, error.message, remedy: error.remedy, cause: error)
    }
  }

  private func signature() async throws(HostError) -> S3Signature {
    let place = credentials
    let read =
      switch place {
      case .environment: try place.read()
      case .file: try await BlockingWork.run { _ throws(HostError) in try place.read() }
      }
    return S3Signature(credentials: read, region: address.region, time: now())
  }
}
#endif
