// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaHTTP
import FoveaCore
import HTTPTypes
import Hummingbird

/// An encoded image in a request.
struct ReceivedImage: Sendable {
  /// The image's name in errors; the caller's name for it is only in the answer.
  static let subject = "the image"

  /// The image's name in the answer; `-` if the caller gave none.
  var name: String
  var bytes: [UInt8]
}

/// The images of a request and its options.
struct ImageRequest: Sendable {
  var images: [ReceivedImage]
  /// Whether the answer is a list, even for one image.
  var isList = false
  /// Whether it contains an address of an image.
  var namesAddress = false
  var options: [(name: String, value: OptionValue)]
}

/// Reads the images of a request: the bytes of one image, a form with files, or JSON with base64.
struct ImageReader: Sendable {
  let bodyLimit: Int
  let memory: MemoryBudget
  let maximumImages: Int
  /// Whether callers need keys: a request whose key is unknown until its body is read gets less memory.
  var needsKeys = false
  let work: BodyWork

  /// Calls `answer` with a request's images and options; its body counts as used memory until `answer` has
  /// returned and its `memory` is released.
  /// - Throws: A refusal with the error in the request; the errors of `answer`.
  func withImages<R: Sendable>(
    _ request: Request, _ context: HTTPContext, _ answer: (ImageRequest) async throws -> R
  ) async throws -> R {
    let query = try RequestQuery(of: request)
    let type = request.headers[.contentType] ?? ""
    return try await withBody(
      request, context, query: nil, isImage: { Content(of: $0, type) == .image },
      as: { try ImageReader.parse($0, type) }
    ) { found in
      var found = found
      guard !found.namesAddress else {
        throw Refusal.addressNotFetched(remedy: "Send the image's bytes")
      }
      found.options = query.items.map { (name: $0.name, value: OptionValue.text($0.value)) } + found.options
      try check(count: found.images.count)
      return try await answer(found)
    }
  }

  /// Calls `answer` with the call in a request's body, whose memory is reserved while a task works on it.
  ///
  /// `query` is the rule for the query; nil if the route reads the query itself. `read` reads the call from
  /// the body, on another thread if the body is long or compressed, unless `isImage` shows that the body is
  /// the image itself.
  /// - Throws: A refusal if the query has an option, the body is too large or empty, or there is too little
  ///   memory; the errors of `read` and `answer`.
  func withBody<Call: Sendable, R: Sendable>(
    _ request: Request, _ context: HTTPContext, query: BodyQuery?, mayBeEmpty: Bool = false,
    isImage: ([UInt8]) -> Bool = { _ in false },
    as read: @escaping @Sendable ([UInt8]) throws -> Call, _ answer: (Call) async throws -> R
  ) async throws -> R {
    try query?.check(request)
    let isUnknown = needsKeys && context.key == nil
    let limit = isUnknown ? min(bodyLimit, AccessGuard.bodyBeforeKey) : bodyLimit
    let share = memory.share(for: context.client, portion: isUnknown ? AccessGuard.bodyBeforeKey : nil)
    let sent = try await sent(request, upTo: limit, share)
    let coding = request.headers[.contentEncoding]
    // A few kilobytes may decompress to the whole limit.
    let length = if coding != nil { limit } else if isImage(sent) { 0 } else { sent.count }
    return try await MemoryBudget.Share.$current.withValue(share) {
      let call = try await work.run(on: length, for: context) {
        let body = try ContentCoding.decoded(sent, coding, upTo: limit) { (count) throws(Refusal) in
          try share.grow(by: count)
        }
        guard mayBeEmpty || !body.isEmpty else {
          throw Refusal(
            .badRequest, "request-empty", "The request has no body",
            remedy: "Send an image as described in GET /openapi.json")
        }
        return try read(body)
      }
      return try await answer(call)
    }
  }

  /// Returns the whole body as it was sent.
  ///
  /// Bytes are counted as they arrive, so that a size that is only announced does not take memory from
  /// others.
  private func sent(
    _ request: Request, upTo limit: Int, _ share: MemoryBudget.Share
  ) async throws -> [UInt8] {
    // A body without enough memory need not be read.
    if let length = request.headers[.contentLength].flatMap({ Int($0) }) {
      try share.check(min(length, limit))
    }
    return try await request.bytes(upTo: limit) { try share.grow(by: $0) }
  }

  /// Throws a refusal if there are more images than one request may have.
  func check(count: Int) throws(Refusal) {
    guard count <= maximumImages else {
      throw Refusal(
        .contentTooLarge, "request-too-large",
        "The request has \(count) images, \(maximumImages) are allowed", remedy: "Send fewer images")
    }
  }

  /// The content of a body for routes that take images.
  private enum Content {
    case form, json, image

    init(of body: [UInt8], _ contentType: String) {
      let type = contentType.lowercased()
      if type.hasPrefix("multipart/form-data") {
        self = .form
      } else if type.hasPrefix("application/json") || body.first == UInt8(ascii: "{") {
        self = .json
      } else {
        self = .image
      }
    }
  }

  private static func parse(_ body: [UInt8], _ contentType: String) throws -> ImageRequest {
    switch Content(of: body, contentType) {
    case .form: return try form(body, contentType: contentType)
    case .json:
      do throws(JSONFailure) { return try ImageJSON.read(body) } catch {
        throw Refusal.malformed(error, remedy: #"Send {"images": [{"base64": "…"}]}"#)
      }
    case .image: return ImageRequest(images: [ReceivedImage(name: "-", bytes: body)], options: [])
    }
  }

  private static func form(_ body: [UInt8], contentType: String) throws(Refusal) -> ImageRequest {
    let form = try MultipartForm(body, contentType: contentType)
    var request = ImageRequest(images: [], options: [])
    for part in form.parts {
      if let fileName = part.fileName {
        request.images.append(
          ReceivedImage(name: fileName.isEmpty ? "-" : fileName, bytes: Array(part.content)))
      } else {
        request.options.append((part.name, .text(String(decoding: part.content, as: UTF8.self))))
      }
    }
    guard !request.images.isEmpty else {
      throw Refusal(
        .badRequest, "request-empty", "The form has no file",
        remedy: "Send each image as a form file, such as 'curl -F image=@FILE'")
    }
    request.isList = request.images.count > 1
    return request
  }
}
#endif
