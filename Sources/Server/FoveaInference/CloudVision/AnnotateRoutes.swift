// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaFormats
import FoveaGeometry
import FoveaHTTP
import FoveaDecoding
import FoveaCore
import HTTPTypes
import Hummingbird

/// `images:annotate` of Google Cloud Vision: objects and labels.
struct AnnotateRoutes: Sendable {
  let caller: InferenceCaller
  let reader: ImageReader
  private var registry: ModelRegistry { caller.registry }

  /// The maximum number of images in one call, as in Cloud Vision.
  private static let maximumImages = 16

  func add(to router: Router<HTTPContext>) {
    router.post("v1/images:annotate") { try await annotate($0, $1) }
  }

  /// The findings in an image, or the error.
  private struct Part: Sendable {
    var objects: DetectionRecord.Findings?
    var labels: [Label] = []
    var problem: Refusal?
  }

  private func annotate(_ request: Request, _ context: HTTPContext) async throws -> Response {
    try GoogleQuery.check(request, BodyQuery(options: ["features", "maxResults", "model"]))
    return try await reader.withBody(request, context, query: nil) { body in
      do throws(JSONFailure) { return try AnnotateRequest(body) } catch {
        throw Refusal.malformed(error, remedy: "Send a request of Cloud Vision's images:annotate")
      }
    } _: { asked in
      guard asked.items.count <= AnnotateRoutes.maximumImages else {
        throw Refusal(
          .badRequest, "request-too-large",
          "The request has \(asked.items.count) images, \(AnnotateRoutes.maximumImages) are allowed",
          remedy: "Send fewer images")
      }
      var parts: [Part] = []
      let deadline = CallDeadline(context.limit(of: caller.deadline))
      do {
        for item in asked.items { parts.append(try await part(item, deadline, context)) }
      } catch let refusal as Refusal where refusal.code == "deadline-exceeded" {
        // An image's own error reports only the time that was left for it.
        throw Scheduler.late(deadline.limit)
      }
      return AnnotateRoutes.response(parts)
    }
  }

  /// Answers one image; an error that concerns only this image is reported in its part of the response.
  private func part(
    _ item: AnnotateRequest.Item, _ deadline: CallDeadline, _ context: HTTPContext
  ) async throws -> Part {
    var part = Part()
    do {
      guard !item.namesAddress else {
        throw Refusal.addressNotFetched(remedy: "Send the bytes of the image as 'content'")
      }
      guard !item.image.bytes.isEmpty else {
        throw Refusal(
          .badRequest, "request-empty", "The image has no 'content'", remedy: "Send the image's bytes")
      }
    } catch let refusal as Refusal {
      part.problem = refusal
      return part
    }
    // A feature that fails does not affect the others.
    for feature in item.features {
      do {
        try await add(feature, of: item.image, to: &part, deadline, context)
      } catch let refusal as Refusal
        where refusal.status.code < 500 && refusal.status.code != 429
      {
        part.problem = part.problem ?? refusal
      }
    }
    return part
  }

  private func add(
    _ feature: AnnotateRequest.Feature, of image: ReceivedImage, to part: inout Part,
    _ deadline: CallDeadline,
    _ context: HTTPContext
  ) async throws {
    guard feature.isLocalization || feature.isLabels else {
      throw Refusal(
        .badRequest, "task-mismatch", "The feature '\(feature.type.prefix(40))' is not served",
        remedy: "Request OBJECT_LOCALIZATION or LABEL_DETECTION")
    }
    guard !feature.namesSeveralModels else {
      throw Refusal(
        .badRequest, "option-invalid", "The features '\(feature.type.prefix(40))' name different models",
        remedy: "Name one model")
    }
    let task = feature.isLocalization ? ServedTask.detect : .label
    var options = CallOptions()
    options.upright = true
    if let name = feature.model {
      options.model = try registry.place(name).entry.name
    } else {
      guard let model = registry.models.first(where: { $0.task == task }) else {
        throw Refusal(
          .badRequest, "task-mismatch",
          "No served model answers the feature '\(feature.type.prefix(40))'",
          remedy: "Ask the server's operator to serve \(task.model) too")
      }
      options.model = model.name
    }
    if let maximum = feature.maximum {
      options.named.selection.maxObjects = maximum
      options.named.maxResults = maximum
    }
    let answer = try await caller.within(try deadline.left()).answer(
      [image], options, task: task, client: context.client, context: context)
    switch answer.records.first?.findings?.content {
    case .objects: part.objects = answer.records.first?.findings
    case .labels(let labels): part.labels = labels
    // Segmenters are refused before they run.
    case .map, nil: break
    }
  }

  private static func response(_ parts: [Part]) -> Response {
    Response.json { json in
      json.objects("responses", parts) { json, part in
        if let problem = part.problem {
          json.member("error") { json in
            // google.rpc.Code: INVALID_ARGUMENT and NOT_FOUND.
            json.member("code", problem.status.code == 404 ? 5 : 3)
            json.member("message", problem.sentences)
          }
        }
        if let findings = part.objects { append(findings, to: &json) }
        if !part.labels.isEmpty {
          json.objects("labelAnnotations", part.labels) { json, label in
            json.member("mid", "")
            json.member("description", label.text ?? "class \(label.index)")
            json.member("score", Double(label.confidence), places: 6)
            json.member("topicality", Double(label.confidence), places: 6)
          }
        }
      }
    }
  }

  private static func append(_ findings: DetectionRecord.Findings, to json: inout JSONText) {
    let (width, height) = (Double(findings.size.width), Double(findings.size.height))
    json.objects("localizedObjectAnnotations", findings.objects) { json, object in
      json.member("mid", "")
      json.member("name", object.className)
      json.member("score", Double(object.score), places: 6)
      let (left, right) = (object.box.minX / width, object.box.maxX / width)
      let (top, bottom) = (object.box.minY / height, object.box.maxY / height)
      json.member("boundingPoly") { json in
        // Clockwise from the top left.
        json.member(
          "normalizedVertices", [[left, top], [right, top], [right, bottom], [left, bottom]]
        ) {
          json, corner in
          json.object { json in
            json.member("x", corner[0], places: 6)
            json.member("y", corner[1], places: 6)
          }
        }
      }
    }
  }
}

extension ClientProtocol {
  /// Google Cloud Vision.
  package static let cloudVision = ClientProtocol(
    name: "cloud-vision", title: "Cloud Vision", errors: .google, keyHeader: "x-goog-api-key",
    owns: { $0.hasPrefix("/v1/images:") },
    routes: [
      APIRoute("POST", "/v1/images:annotate", "Objects and labels of images in base64", .json)
    ]
  ) { service, router in
    AnnotateRoutes(caller: service.caller, reader: service.reader).add(to: router)
  }
}
#endif
