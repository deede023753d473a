// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP

/// The form that the clients of a route expect an error in, also one that comes before its handler.
enum ProtocolShape {
  static func shape(_ target: String) -> ErrorShape {
    let path = target.prefix { $0 != "?" }
    if path.hasPrefix("/v1/vision/") { return .success }
    if path.hasPrefix("/v1/images:") || path.hasPrefix("/v1/projects/") { return .google }
    if path == "/v2" || path.hasPrefix("/v2/") || path.hasSuffix(":predict") { return .text }
    if path.hasPrefix("/v1/models/"), path.hasSuffix("/metadata") || path.contains("/versions/") {
      return .text
    }
    if ["/detect", "/detectors", "/image"].contains(path) { return .text }
    if RoboflowRoutes.isModelPath(path) { return .message }
    if path == "/info" || ["/infer/", "/model/"].contains(where: path.hasPrefix) { return .message }
    return .native
  }
}
#endif
