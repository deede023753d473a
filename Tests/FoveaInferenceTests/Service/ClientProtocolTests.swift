// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import HTTPTypes
import Testing

@testable import FoveaInference

@Suite struct ClientProtocolTests {
  /// A target, the start of its error for an unreadable image, and a part of its response to a POST.
  private static let targets: [(target: String, error: String, post: ClientProtocol.Post)] = [
    ("/v1/detect", #"{"error": {"code": "image-corrupt", "#, .images),
    ("/v1/models/m:detect", #"{"error": {"code": "image-corrupt", "#, .images),
    ("/v1/models/m", #"{"error": {"code": "image-corrupt", "#, .images),
    ("", #"{"error": {"code": "image-corrupt", "#, .images),
    ("/v1/vision/detection", #"{"success": false, "error": "It is damaged. Send"#, [.images, .key]),
    ("/v1/vision/detction?a=/v2", #"{"success": false, "error": "It is damaged. Send"#, [.images, .key]),
    ("/v1/vision/custom/m:predict", #"{"success": false, "#, [.images, .key]),
    ("/v1/vision/custom/list", #"{"success": false, "#, []),
    ("/v1/status/ping", #"{"error": {"code": "image-corrupt", "#, .images),
    ("/v1/images:annotate", #"{"error": {"code": 400, "message": "It is damaged. Send"#, .images),
    ("/v1/projects/p/locations/l/endpoints/m:predict", #"{"error": {"code": 400, "#, .images),
    ("/v1/models/m:predict", #"{"error": "It is damaged. Send"#, .images),
    ("/v1/modles/m:predict", #"{"error": "It is damaged. Send"#, .images),
    ("/v1/models/m/metadata", #"{"error": "It is damaged. Send"#, .images),
    ("/v1/models/m/versions/1", #"{"error": "It is damaged. Send"#, .images),
    ("/detect", #"{"error": "It is damaged. Send"#, .images),
    ("/detectors/x", #"{"message": "It is damaged. Send"#, .images),
    ("/v2", #"{"error": "It is damaged. Send"#, .images),
    ("/v2/models/m/infer", #"{"error": "It is damaged. Send"#, .images),
    ("/v2/repository/index", #"{"error": "It is damaged. Send"#, []),
    ("/v2/repository/models/m/unload", #"{"error": "It is damaged. Send"#, .models),
    ("/v2x", #"{"error": {"code": "image-corrupt", "#, .images),
    ("/info", #"{"message": "It is damaged. Send"#, .images),
    ("/infer/object_detection", #"{"message": "It is damaged. Send"#, [.images, .key]),
    ("/model/add", #"{"message": "It is damaged. Send"#, .key),
    ("/birds/3", #"{"message": "It is damaged. Send"#, .images),
    ("/assets/3", #"{"error": {"code": "image-corrupt", "#, .images),
  ]

  @Test func `a path has the errors, and the key's location, of its protocol`() {
    let refusal = Refusal(.unprocessableContent, "image-corrupt", "It is damaged", remedy: "Send another")
    for (target, error, post) in Self.targets {
      let shape = ClientProtocol.errors(of: target)
      #expect(shape.body(of: refusal).hasPrefix(error), "\(target): \(shape.body(of: refusal))")
      let isNative = error.hasPrefix(#"{"error": {"code": "image"#)
      #expect(shape.status(of: refusal) == (isNative ? .unprocessableContent : .badRequest), "\(target)")
      #expect(ClientProtocol.post(to: target.prefix { $0 != "?" }) == post, "\(target)")
    }
  }

  @Test func `a name, a title and a route belong to one protocol`() {
    let all = ClientProtocol.all
    #expect(Set(all.map(\.name)).count == all.count && Set(all.map(\.title)).count == all.count)
    let routes = all.flatMap(\.routes).map { "\($0.method) \($0.path)" }
    #expect(Set(routes).count == routes.count)
    for served in all { #expect(!served.routes.isEmpty, "\(served.name)") }
    #expect(
      ClientProtocolList.names
        == "automl, cloud-vision, deepstack, doods, open-inference, roboflow, vertex")
  }
}
#endif
