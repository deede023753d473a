// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaFormats
import FoveaGeometry
import FoveaHTTP
import FoveaImage
import FoveaCore
import HTTPTypes
import Hummingbird
import Synchronization

/// The routes of DOODS, used by Home Assistant's integration of that name.
struct DoodsRoutes: Sendable {
  let caller: InferenceCaller
  let reader: ImageReader
  private var registry: ModelRegistry { caller.registry }

  func add(to router: Router<HTTPContext>) {
    router.get("detectors") { _, _ in detectors() }
    router.post("detect") { try await detect($0, $1) }
    router.post("image") { try await image($0, $1) }
  }

  private func detectors() -> Response {
    Response.json { json in
      json.member("detectors", registry.models.filter { $0.task == .detect }) { json, model in
        json.object { json in
          json.member("name", model.name)
          json.member("type", "tflite")
          json.member("model", model.name)
          json.member("labels", model.labels)
          json.member("width", model.inputShape.count == 4 ? model.inputShape[2] : 0)
          json.member("height", model.inputShape.count == 4 ? model.inputShape[1] : 0)
          json.member("channels", 3)
        }
      }
    }
  }

  private func detect(_ request: Request, _ context: HTTPContext) async throws -> Response {
    try await answer(request, context) { asked, findings in
      guard let format = asked.annotatedFormat else { return DoodsRoutes.response(findings, asked, nil) }
      let file = try await caller.drawn(asked.image, with: findings, as: format, context)
      return DoodsRoutes.response(findings, asked, file)
    }
  }

  /// Returns the image with the requested boxes, as a JPEG unless another format is requested.
  private func image(_ request: Request, _ context: HTTPContext) async throws -> Response {
    try await answer(request, context) { asked, findings in
      let format = asked.annotatedFormat ?? .jpeg
      let file = try await caller.drawn(asked.image, with: findings, as: format, context)
      return Response(
        status: .ok, headers: [.contentType: file.type],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
    }
  }

  /// Detects objects and answers with those that the caller wants.
  private func answer(
    _ request: Request, _ context: HTTPContext,
    _ respond: @Sendable (DoodsRequest, DetectionRecord.Findings) async throws -> Response
  ) async throws -> Response {
    // An error repeats the id too.
    let id = Mutex("")
    do {
      return try await reader.withBody(
        request, context, query: DoodsRequest.query, as: { try DoodsRequest($0) }
      ) { asked in
        id.withLock { $0 = asked.id }
        var options = CallOptions()
        options.model = registry.name(ofDetector: asked.detector)
        options.upright = true
        options.named.selection.threshold = asked.lowest
        let answer = try await caller.answer(
          [asked.image], options, task: .detect, client: context.client, context: context,
          wanted: { _ in asked.labels })
        guard var findings = answer.records.first?.findings else {
          return Response(status: .internalServerError)
        }
        findings.content = .objects(
          findings.objects.filter { object in
            asked.takes(
              object.className, Double(object.score) * 100, DoodsRoutes.part(object.box, of: findings.size))
          })
        return try await respond(asked, findings)
      }
    } catch let refusal as Refusal {
      let status = refusal.status.code < 500 && refusal.status.code != 429 ? .badRequest : refusal.status
      return Response.json(status, headers: refusal.headers) { json in
        json.member("id", id.withLock { $0 })
        json.member("error", refusal.sentences)
      }
    }
  }

  /// Returns the sides of a box relative to the image, 0…1.
  private static func part(_ box: BoundingBox, of size: PixelSize) -> BoundingBox {
    let (width, height) = (Double(size.width), Double(size.height))
    return BoundingBox(
      x: box.minX / width, y: box.minY / height, width: box.width / width, height: box.height / height)
  }

  private static func response(
    _ findings: DetectionRecord.Findings, _ asked: DoodsRequest, _ file: AnswerAnnotator.File?
  ) -> Response {
    return Response.json { json in
      json.member("id", asked.id)
      if let file { json.member("image", Base64.encode(file.bytes)) }
      json.member("detections", findings.objects) { json, object in
        let box = part(object.box, of: findings.size)
        json.object { json in
          json.member("top", box.minY, places: 6)
          json.member("left", box.minX, places: 6)
          json.member("bottom", box.maxY, places: 6)
          json.member("right", box.maxX, places: 6)
          json.member("label", object.className)
          json.member("confidence", Double(object.score) * 100, places: 4)
        }
      }
    }
  }
}

extension ClientProtocol {
  /// DOODS, as used by Home Assistant's integration of that name.
  package static let doods = ClientProtocol(
    name: "doods", title: "DOODS", errors: .text, keyHeader: "doods-auth-key",
    owns: { ["/detect", "/detectors", "/image"].contains($0) },
    routes: [
      APIRoute("GET", "/detectors", "The detectors"),
      APIRoute("POST", "/detect", "Objects in an image in base64", .json),
      APIRoute("POST", "/image", "An image in base64 with the boxes of its objects, as a JPEG", .json),
    ]
  ) { service, router in
    DoodsRoutes(caller: service.caller, reader: service.reader).add(to: router)
  }
}
#endif
