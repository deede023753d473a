// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaHTTP
import FoveaCore
import HTTPTypes
import Hummingbird

/// An encoded image that a request carries.
struct Picture: Sendable {
  /// What errors call it: its name is the caller's, and stands in the answer.
  static let subject = "the image"

  /// What the answer calls it; `-` where the caller gave no name.
  var name: String
  var bytes: [UInt8]
}

/// The images of a request and what it asks for.
struct PictureRequest: Sendable {
  var pictures: [Picture]
  /// Whether the answer is a list, also where there is one image.
  var isList = false
  /// Whether it names an address to fetch an image from.
  var namesAddress = false
  var options: [(name: String, value: OptionValue)]
}

/// Reads the images of a request: the bytes of one, a form with files, or JSON with base64.
struct PictureReader: Sendable {
  let bodyLimit: Int
  let memory: MemoryBudget
  let maximumPictures: Int
  /// Whether callers need keys: one whose key is not known before its body is read gets less memory.
  var needsKeys = false

  /// Calls `answer` with the images and options of a request, whose body is counted until `answer` is done and its
  /// `memory` is let go.
  /// - Throws: A refusal that says what is wrong with the request; what `answer` throws.
  func withPictures<R: Sendable>(
    _ request: Request, _ context: HTTPContext, _ answer: (PictureRequest) async throws -> R
  ) async throws -> R {
    let query = try RequestQuery(of: request)
    return try await withBody(request, context) { body in
      var found = try parse(body, contentType: request.headers[.contentType] ?? "")
      guard !found.namesAddress else {
        throw Refusal.addressNotFetched(remedy: "Send the bytes of the image")
      }
      found.options = query.items.map { (name: $0.name, value: OptionValue.text($0.value)) } + found.options
      try check(count: found.pictures.count)
      return try await answer(found)
    }
  }

  /// Calls `answer` with the body of a request, which is counted as long as a task works for it.
  /// - Throws: A refusal where it is too large or empty, or finds no memory; what `answer` throws.
  func withBody<R: Sendable>(
    _ request: Request, _ context: HTTPContext, mayBeEmpty: Bool = false,
    _ answer: ([UInt8]) async throws -> R
  ) async throws -> R {
    let isUnknown = needsKeys && context.key == nil
    let limit = isUnknown ? min(bodyLimit, AccessGuard.bodyBeforeKey) : bodyLimit
    let share = memory.share(for: context.client, portion: isUnknown ? AccessGuard.bodyBeforeKey : nil)
    let body = try await body(of: request, upTo: limit, share)
    guard mayBeEmpty || !body.isEmpty else {
      throw Refusal(
        .badRequest, "request-empty", "The request has no body, and so no image",
        remedy: "Send an image in the form that this route takes; GET /openapi.json describes it")
    }
    return try await MemoryBudget.Share.$current.withValue(share) { try await answer(body) }
  }

  /// The whole body, of which each byte is counted as it comes: what only was announced takes nothing from others.
  private func body(
    of request: Request, upTo limit: Int, _ share: MemoryBudget.Share
  ) async throws -> [UInt8] {
    // What finds no room need not begin.
    if let length = request.headers[.contentLength].flatMap({ Int($0) }) {
      try share.check(min(length, limit))
    }
    let sent = try await request.bytes(upTo: limit) { try share.grow(by: $0) }
    return try ContentCoding.decoded(sent, request.headers[.contentEncoding], upTo: limit) {
      (count) throws(Refusal) in try share.grow(by: count)
    }
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
        throw Refusal.malformed(error, remedy: #"Send {"images": [{"base64": "…"}]}"#)
      }
    }
    return PictureRequest(pictures: [Picture(name: "-", bytes: body)], options: [])
  }

  private func form(_ body: [UInt8], contentType: String) throws(Refusal) -> PictureRequest {
    let form = try MultipartForm(body, contentType: contentType)
    var request = PictureRequest(pictures: [], options: [])
    for part in form.parts {
      if let fileName = part.fileName {
        request.pictures.append(Picture(name: fileName.isEmpty ? "-" : fileName, bytes: Array(part.content)))
      } else {
        request.options.append((part.name, .text(String(decoding: part.content, as: UTF8.self))))
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
