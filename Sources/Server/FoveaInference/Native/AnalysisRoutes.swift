// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// `POST /v1/detect`, `/v1/label`, `/v1/segment`, `/v1/embed` and the same for a model in the path.
struct AnalysisRoutes: Sendable {
  let caller: InferenceCaller
  let reader: ImageReader

  func add(to router: Router<HTTPContext>) {
    for task in ServedTask.allCases {
      router.post(RouterPath("v1/\(task.rawValue)")) { try await answer($0, $1, task) }
      router.post(RouterPath("v1/models/{model}:\(task.rawValue)")) { try await answer($0, $1, task) }
    }
  }

  private func answer(
    _ request: Request, _ context: HTTPContext, _ task: ServedTask
  ) async throws -> Response {
    try await reader.withImages(request, context) { received in
      var options = try CallOptions(received.options, for: task)
      if let model = context.modelName { options.model = model }
      let reply = try AnalysisReply(
        options, accept: AcceptedTypes(request.headers[.accept]), request: received, task: task)
      do {
        if reply.isStream, received.images.count > 1 {
          return try await AnalysisStream(
            caller: caller, request: received, options: reply.options, task: task, context: context
          ).response()
        }
        return try reply.response(
          try await caller.answer(
            received.images, reply.options, task: task, client: context.client, context: context))
      } catch let refusal as Refusal {
        throw AnalysisRoutes.adding(to: refusal, request)
      }
    }
  }

  /// Adds advice to the refusal of an image that curl sent with `-d`, which drops line breaks.
  private static func adding(to refusal: Refusal, _ request: Request) -> Refusal {
    guard refusal.code.hasPrefix("image-"),
      [.unsupportedMediaType, .unprocessableContent].contains(refusal.status),
      request.headers[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true
    else { return refusal }
    var refusal = refusal
    refusal.remedy =
      (refusal.remedy.map { $0 + ". " } ?? "")
      + "With curl, send a file with --data-binary @FILE"
    return refusal
  }
}
#endif
