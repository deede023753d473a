// SPDX-License-Identifier: Apache-2.0
#if Server
import CPages
import FoveaHTTP
import FoveaCore
import HTTPTypes
import Hummingbird

/// The page at `/` and its files under `/assets`.
struct LivePage: Sendable {
  /// Every file; the page itself is the first.
  let files: [EmbeddedFile]

  init() {
    files = (0..<fovea_page_count(FOVEA_PAGES_LIVE)).map { index in
      // SAFETY: the names end with a zero byte, and the bytes live as long as the process.
      let page = unsafe fovea_page_at(FOVEA_PAGES_LIVE, index)
      let bytes = unsafe UnsafeBufferPointer(start: page.start, count: page.size)
      return unsafe EmbeddedFile(
        name: String(cString: page.name), type: String(cString: page.type), body: ByteBuffer(bytes: bytes))
    }
  }

  func add(to router: Router<HTTPContext>) {
    router.get("") { request, _ in answer(request, files.first) }
    router.get("assets/{file}") { request, context in
      let name = context.parameters.get("file")
      guard let file = files.dropFirst().first(where: { $0.name == name }) else {
        throw Refusal(.notFound, "route-unknown", "The page has no such file", remedy: "Open the page at /")
      }
      return answer(request, file)
    }
  }

  private func answer(_ request: Request, _ file: EmbeddedFile?) -> Response {
    file?.response(to: request, headers: LivePage.headers) ?? Response(status: .notFound)
  }

  /// Restricts the page to its own scripts, this server and the camera.
  private static let headers = PageHeaders.make(
    policy: [
      "script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "connect-src 'self'",
      "media-src 'self' blob:", "worker-src 'self'", "require-trusted-types-for 'script'",
      "trusted-types fovea",
    ], permissions: "camera=(self), microphone=(), geolocation=()")
}
#endif
