// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaHTTP
  internal import FoveaSystem
  internal import HTTPTypes
  internal import Hummingbird

  /// Reads the images of a request: the bytes of one, a form with files, or JSON with base64.
  struct PictureReader: Sendable {
    let bodyLimit: Int
    let memory: MemoryBudget
    let maximumPictures: Int

    /// Calls `answer` with the images and options of a request, whose body is counted until `answer` is done and its
    /// `memory` is let go.
    /// - Throws: A refusal that says what is wrong with the request; what `answer` throws.
    func withPictures<R: Sendable>(
      _ request: Request, _ answer: (PictureRequest) async throws -> R
    ) async throws -> R {
      let query = try RequestQuery(of: request)
      return try await withBody(request) { body, memory in
        var found = try parse(body, contentType: request.headers[.contentType] ?? "")
        guard !found.namesAddress else {
          throw Refusal.addressNotFetched(remedy: "Send the bytes of the image")
        }
        found.options = query.items.map { ($0.name, $0.value) } + found.options
        try check(count: found.pictures.count)
        found.memory = memory
        return try await answer(found)
      }
    }

    /// Calls `answer` with the body of a request, which is counted as long as it is needed.
    /// - Throws: A refusal where it is too large or empty; what `answer` throws.
    func withBody<R: Sendable>(
      _ request: Request, mayBeEmpty: Bool = false, _ answer: ([UInt8]) async throws -> R
    ) async throws -> R {
      try await withBody(request, mayBeEmpty: mayBeEmpty) { body, _ in try await answer(body) }
    }

    private func withBody<R: Sendable>(
      _ request: Request, mayBeEmpty: Bool = false,
      _ answer: ([UInt8], MemoryBudget.Share) async throws -> R
    ) async throws -> R {
      let coding = request.headers[.contentEncoding]
      // What is compressed may become as large as any.
      let length =
        coding == nil ? request.headers[.contentLength].flatMap { Int($0) } ?? bodyLimit : bodyLimit
      let share = try memory.share(min(length, bodyLimit))
      defer { withExtendedLifetime(share) {} }
      let body = try ContentCoding.decoded(
        try await request.bytes(upTo: bodyLimit), coding, upTo: bodyLimit)
      guard mayBeEmpty || !body.isEmpty else {
        throw Refusal(
          .badRequest, "request-empty", "The request has no body, and so no image",
          remedy: "Send an image in the form that this route takes; GET /openapi.json describes it")
      }
      return try await answer(body, share)
    }

    /// Throws a refusal where there are more images than one request may have.
    func check(count: Int) throws(Refusal) {
      guard count <= maximumPictures else {
        throw Refusal(
          .contentTooLarge, "request-too-large",
          "The request has \(count) images; \(maximumPictures) are taken at once", remedy: "Send fewer")
      }
    }

    private func parse(_ body: [UInt8], contentType: String) throws -> PictureRequest {
      let type = contentType.lowercased()
      if type.hasPrefix("multipart/form-data") { return try form(body, contentType: contentType) }
      if type.hasPrefix("application/json") || body.first == UInt8(ascii: "{") {
        do throws(JSONFailure) { return try PictureJSON.read(body) } catch {
          throw Refusal.malformed(
            error, remedy: #"Send {"images": [{"base64": "…"}]}"#)
        }
      }
      return PictureRequest(pictures: [Picture(name: "-", bytes: body)], options: [])
    }

    private func form(_ body: [UInt8], contentType: String) throws(Refusal) -> PictureRequest {
      let form = try MultipartForm(body, contentType: contentType)
      var request = PictureRequest(pictures: [], options: [])
      for part in form.parts {
        if let fileName = part.fileName {
          request.pictures.append(
            Picture(name: fileName.isEmpty ? "-" : fileName, bytes: Array(part.content)))
        } else {
          request.options.append((part.name, String(decoding: part.content, as: UTF8.self)))
        }
      }
      guard !request.pictures.isEmpty else {
        throw Refusal(
          .badRequest, "request-empty", "The form has no file",
          remedy: "Send each image as a file of the form, as 'curl -F image=@FILE' does")
      }
      request.isList = request.pictures.count > 1
      return request
    }
  }
#endif
