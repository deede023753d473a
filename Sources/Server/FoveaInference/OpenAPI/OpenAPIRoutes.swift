// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// `GET /openapi.json`.
struct OpenAPIRoutes: Sendable {
  private let body: ByteBuffer

  init(_ routes: [APIRoute]) { body = ByteBuffer(string: OpenAPIDocument.text(of: routes)) }

  func add(to router: Router<HTTPContext>) {
    router.get("openapi.json") { _, _ in
      Response(
        status: .ok,
        headers: [
          .contentType: "application/json; charset=utf-8", .contentLength: "\(body.readableBytes)",
        ],
        body: ResponseBody(byteBuffer: body))
    }
  }
}
#endif
