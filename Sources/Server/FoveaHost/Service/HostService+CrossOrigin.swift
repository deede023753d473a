// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaHTTP

extension HostService {
  /// What web apps of other sites may use: what an app's key opens, and the files that its answers name.
  ///
  /// Everything else stays closed to them, the console with its cookie above all.
  package static var appReach: CrossOriginReach {
    var reach = CrossOriginReach()
    reach.methods = "DELETE, GET, HEAD, POST"
    // What Google's clients for the Web send, and what a fetch of a part of a file needs.
    reach.headers =
      "Accept, Authorization, Content-Encoding, Content-Type, If-Match, If-None-Match, If-Range, Range, Traceparent, "
      + "X-Accept-Response-Streaming, X-Firebase-Client, X-Firebase-RC-Fetch-Type, X-Goog-Api-Key, "
      + "X-Goog-Firebase-Installations-Auth, X-Google-GFE-Can-Retry, X-Request-Id"
    reach.exposed =
      "Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag, Repr-Digest, Retry-After, Traceparent, "
      + "X-Request-Id"
    reach.takes = { path in appPaths.contains { RouteTable.fits($0, path) } }
    return reach
  }

  /// The paths that an app's key, or an address that it was given, opens.
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
