// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import CLivePage
  internal import FoveaHTTP
  internal import FoveaSystem
  internal import HTTPTypes
  internal import Hummingbird

  /// The page at `/` and its files under `/assets`.
  struct LivePage: Sendable {
    /// A file of the page.
    struct File: Sendable {
      let name: String
      let type: String
      let body: ByteBuffer
      /// The strong entity tag, with its quotes.
      let tag: String
    }

    /// Every file; the page itself is the first.
    let files: [File]

    init() {
      files = (0..<fovea_page_count()).map { index in
        // SAFETY: the names end with a zero, and the bytes live as long as the process.
        let bytes = unsafe UnsafeBufferPointer(start: fovea_page_start(index), count: fovea_page_size(index))
        let body = unsafe ByteBuffer(bytes: bytes)
        let sum = SHA256.hexadecimal(of: Array(body.readableBytesView).span)
        return unsafe File(
          name: String(cString: fovea_page_name(index)), type: String(cString: fovea_page_type(index)),
          body: body, tag: "\"\(sum.prefix(32))\"")
      }
    }

    func add(to router: Router<HTTPContext>) {
      router.get("") { request, _ in answer(request, files.first) }
      router.get("assets/{file}") { request, context in
        let name = context.parameters.get("file")
        guard let file = files.dropFirst().first(where: { $0.name == name }) else {
          throw Refusal(
            .notFound, "route-unknown", "The page has no such file", remedy: "Open the page at /")
        }
        return answer(request, file)
      }
    }

    private func answer(_ request: Request, _ file: File?) -> Response {
      guard let file else { return Response(status: .notFound) }
      var headers = LivePage.headers
      headers[.eTag] = file.tag
      // Names stay the same from version to version: browsers ask, and hear that nothing is new.
      headers[.cacheControl] = "no-cache"
      if EntityTags.matches(request.headers[.ifNoneMatch], file.tag) {
        return Response(status: .notModified, headers: headers)
      }
      headers[.contentType] = file.type
      headers[.contentLength] = String(file.body.readableBytes)
      return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: file.body))
    }

    /// The page runs its own scripts, talks to this server, uses its own camera, and nothing else.
    private static let headers: HTTPFields = {
      let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:",
        "connect-src 'self'", "media-src 'self' blob:", "worker-src 'self'", "base-uri 'none'",
        "form-action 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
        "trusted-types fovea",
      ]
      var headers: HTTPFields = [
        .contentSecurityPolicy: policy.joined(separator: "; "), .xContentTypeOptions: "nosniff",
      ]
      for (name, value) in [
        ("permissions-policy", "camera=(self), microphone=(), geolocation=()"),
        ("referrer-policy", "no-referrer"), ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
      ] {
        if let name = HTTPField.Name(name) { headers[name] = value }
      }
      return headers
    }()
  }
#endif
