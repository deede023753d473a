// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaTesting
import Testing

/// Each route of a host, and the callers it admits.
enum AccessTable {
  /// The sender of a request.
  enum Caller: String, CaseIterable {
    case nobody, installation
    case app, strangeApp, expiredApp, revokedApp
    case viewer, publisher, admin
    case strangeAdmin, expiredAdmin, revokedAdmin, expiredToken, forged
  }

  /// The admitted callers; all others get 400 (Google's response to an invalid API key), 401 or 403, and 404
  /// with a key of another project.
  enum Door: Sendable {
    case open
    case callers([Caller])
    /// The address is every caller's secret: without it, this status.
    case address(Int)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let route: String
    var query = ""
    let door: Door

    var testDescription: String { route }
    var method: String { String(route.prefix { $0 != " " }) }

    /// A URL of the route at which there is nothing.
    var target: String {
      var path = String(route.drop { $0 != "/" })
      for (name, value) in AccessTable.values { path = path.replacing("{\(name)}", with: value) }
      return path.replacing("**", with: "object") + query
    }

    /// Whether a response is this caller's.
    func admits(_ caller: Caller, _ answer: RunningHost.Answer) -> Bool {
      let isKept =
        answer.body.contains("API key") || method == "HEAD" && answer.status == 400
        || [401, 403].contains(answer.status)
        || caller == .strangeAdmin && answer.status == 404
      switch door {
      case .open: return !isKept
      case .callers(let callers): return isKept != callers.contains(caller)
      case .address(let status): return answer.status == status
      }
    }
  }

  private static let values = [
    "project": "test-project", "model": "m", "version": "1", "channel": "stable", "key": "1",
    "operation": "1", "experiment": "e", "namespace": "firebase",
    "bucket": "test-project.appspot.com", "object": "object", "fid": "f",
    "sha256": String(repeating: "a", count: 64),
  ]
  private static let admin = "/v1beta2/projects/{project}"
  private static let native = "/v1/host/projects/{project}"
  private static let config = "/v1/projects/{project}"
  private static let ofNamespace = "/v1/projects/{project}/namespaces/{namespace}"
  private static let readers = Door.callers([.viewer, .publisher, .admin])
  private static let writers = Door.callers([.publisher, .admin])
  private static let apps = Door.callers([.app])
  private static let keepers = Door.callers([.admin])

  static let rows: [Row] = [
    Row(route: "GET /livez", door: .open),
    Row(route: "GET /readyz", door: .open),
    Row(route: "GET /metrics", door: .open),
    Row(route: "POST /token", door: .open),
    Row(route: "POST \(admin)/models", door: writers),
    Row(route: "GET \(admin)/models", door: readers),
    Row(route: "GET \(admin)/models/{model}", door: readers),
    Row(route: "PATCH \(admin)/models/{model}", door: writers),
    Row(route: "PATCH \(admin)/models/{model}", query: "?updateMask=state.published", door: writers),
    Row(route: "DELETE \(admin)/models/{model}", door: writers),
    Row(route: "GET \(admin)/operations/{operation}", door: readers),
    Row(route: "GET \(admin)/models/{model}:download", door: apps),
    Row(route: "GET /models/{project}/{model}.tflite", door: apps),
    Row(route: "HEAD /models/{project}/{model}.tflite", door: apps),
    Row(route: "GET /files/{project}/{sha256}", query: "?exp=1&kid=1&sig=1", door: .address(403)),
    Row(route: "HEAD /files/{project}/{sha256}", query: "?exp=1&kid=1&sig=1", door: .address(403)),
    Row(route: "POST /v1/projects/{project}/installations", door: apps),
    Row(route: "POST /v1/projects/{project}/installations/{fid}/authTokens:generate", door: .callers([])),
    Row(route: "DELETE /v1/projects/{project}/installations/{fid}", door: .callers([])),
    Row(route: "POST /upload/storage/v1/b/{bucket}/o", query: "?uploadType=resumable", door: writers),
    Row(route: "POST /resumable/upload/storage/v1/b/{bucket}/o", query: "?uploadType=media", door: writers),
    Row(route: "PUT /upload/storage/v1/b/{bucket}/o", query: "?upload_id=none", door: .address(404)),
    Row(
      route: "PUT /resumable/upload/storage/v1/b/{bucket}/o", query: "?upload_id=none", door: .address(404)),
    Row(route: "DELETE /upload/storage/v1/b/{bucket}/o", query: "?upload_id=none", door: .address(404)),
    Row(
      route: "DELETE /resumable/upload/storage/v1/b/{bucket}/o", query: "?upload_id=none",
      door: .address(404)),
    Row(route: "GET /storage/v1/b/{bucket}", door: readers),
    Row(route: "GET /storage/v1/b/{bucket}/o", door: readers),
    Row(route: "GET /storage/v1/b/{bucket}/o/{object}", door: readers),
    Row(route: "DELETE /storage/v1/b/{bucket}/o/{object}", door: writers),
    Row(route: "GET /download/storage/v1/b/{bucket}/o/{object}", door: readers),
    Row(route: "GET /{bucket}/**", query: "?X-Goog-Signature=1", door: .address(403)),
    Row(route: "HEAD /{bucket}/**", query: "?X-Goog-Signature=1", door: .address(403)),
    Row(route: "PUT /{bucket}/**", query: "?X-Goog-Signature=1", door: .address(403)),
    Row(route: "DELETE /{bucket}/**", query: "?X-Goog-Signature=1", door: .address(403)),
    Row(route: "GET \(native)/models", door: readers),
    Row(route: "GET \(native)/models/{model}", door: readers),
    Row(route: "GET \(native)/models/{model}/history", door: readers),
    Row(route: "POST \(native)/models/{model}/versions", door: writers),
    Row(route: "GET \(native)/operations/{operation}", door: writers),
    Row(route: "POST \(native)/operations/{operation}:cancel", door: writers),
    Row(route: "GET \(native)/models/{model}/versions/{version}", door: readers),
    Row(route: "POST \(native)/models/{model}/versions/{version}:withdraw", door: writers),
    Row(route: "PUT \(native)/models/{model}/channels/{channel}", door: writers),
    Row(route: "PUT \(native)/models/{model}/rollout", door: writers),
    Row(route: "POST \(native)/models/{model}:rollback", door: writers),
    Row(route: "DELETE \(native)/models/{model}", door: writers),
    Row(route: "POST \(native)/reports", door: apps),
    Row(route: "GET \(config)/remoteConfig", door: readers),
    Row(route: "PUT \(config)/remoteConfig", door: writers),
    Row(route: "GET \(config)/remoteConfig:listVersions", door: readers),
    Row(route: "POST \(config)/remoteConfig:rollback", door: writers),
    Row(route: "GET \(config)/remoteConfig:downloadDefaults", door: readers),
    Row(route: "GET \(ofNamespace)/remoteConfig", door: readers),
    Row(route: "PUT \(ofNamespace)/remoteConfig", door: writers),
    Row(route: "GET \(ofNamespace)/remoteConfig:listVersions", door: readers),
    Row(route: "POST \(ofNamespace)/remoteConfig:rollback", door: writers),
    Row(route: "GET \(ofNamespace)/remoteConfig:downloadDefaults", door: readers),
    Row(route: "GET \(ofNamespace)/serverRemoteConfig", door: readers),
    Row(route: "POST \(config)/namespaces/firebase:fetch", door: apps),
    Row(route: "POST \(config)/namespaces/firebase:streamFetchInvalidations", door: apps),
    Row(route: "GET \(native)/experiments", door: readers),
    Row(route: "POST \(native)/experiments", door: writers),
    Row(route: "GET \(native)/experiments/{experiment}", door: readers),
    Row(route: "GET \(native)/experiments/{experiment}/report", door: readers),
    Row(route: "PUT \(native)/experiments/{experiment}/weights", door: writers),
    Row(route: "PUT \(native)/experiments/{experiment}/overrides", door: writers),
    Row(route: "POST \(native)/experiments/{experiment}:pause", door: writers),
    Row(route: "POST \(native)/experiments/{experiment}:resume", door: writers),
    Row(route: "POST \(native)/experiments/{experiment}:stop", door: writers),
    Row(route: "POST \(native)/experiments/{experiment}:rollout", door: writers),
    Row(route: "POST \(config)/events:batch", door: .callers([.app, .admin])),
    Row(route: "GET \(native)/config/{namespace}", door: readers),
    Row(route: "PUT \(native)/config/{namespace}", door: writers),
    Row(route: "GET \(native)/config/{namespace}/versions", door: readers),
    Row(route: "POST \(native)/config/{namespace}/rollback", door: writers),
    Row(route: "GET \(native)/config/{namespace}/defaults", door: readers),
    Row(route: "GET \(native)/keys", door: keepers),
    Row(route: "POST \(native)/keys", door: keepers),
    Row(route: "DELETE \(native)/keys/{key}", door: keepers),
    Row(route: "POST \(native)/keys:rotate", door: keepers),
  ]
}
#endif
