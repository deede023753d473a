// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaHTTP

extension HostService {
  /// The routes open to web apps of other sites: those that an app's key opens, and the files in their
  /// answers.
  ///
  /// They cannot reach anything else, above all not the console with its cookie.
  package static var appReach: CrossOriginReach {
    var reach = CrossOriginReach()
    reach.methods = "DELETE, GET, HEAD, POST"
    // The headers that Google's Web clients send, and those for fetching a part of a file.
    reach.headers =
      "Accept, Authorization, Content-Encoding, Content-Type, If-Match, If-None-Match, If-Range, Range, "
      + "Traceparent, X-Accept-Response-Streaming, X-Firebase-Client, X-Firebase-RC-Fetch-Type, "
      + "X-Goog-Api-Key, X-Goog-Firebase-Installations-Auth, X-Google-GFE-Can-Retry, X-Request-Id"
    reach.exposed =
      "Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag, Repr-Digest, Retry-After, "
      + "Traceparent, X-Request-Id"
    reach.takes = isOfApp
    return reach
  }

  /// Returns whether an app's key, or a URL given to the app, opens a path, possibly with a query.
  @Sendable static func isOfApp(_ path: String) -> Bool { appPaths.contains { RouteTable.fits($0, path) } }

  /// The paths opened by an app's key, or by a URL given to the app.
  private static let appPaths = [
    "/v1beta2/projects/{project}/models/{model}:download",
    "/files/{project}/{sha256}",
    "/models/{project}/{model}.tflite",
    "/v1/projects/{project}/events:batch",
    "/v1/projects/{project}/installations",
    "/v1/projects/{project}/installations/{fid}",
    "/v1/projects/{project}/installations/{fid}/authTokens:generate",
    "/v1/projects/{project}/namespaces/firebase:fetch",
    "/v1/projects/{project}/namespaces/firebase:streamFetchInvalidations",
    "/v1/host/projects/{project}/reports",
  ]
}
#endif
