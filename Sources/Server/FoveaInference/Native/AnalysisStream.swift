// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// A response whose lines are sent in the order of the images, each as soon as all lines up to it are ready.
struct AnalysisStream: Sendable {
  typealias Piece = InferenceCaller.Piece

  let caller: InferenceCaller
  let request: ImageRequest
  let options: CallOptions
  let task: ServedTask
  let context: HTTPContext

  /// Returns the answer once its first line is ready.
  ///
  /// The rest is cancelled if the client disconnects.
  /// - Throws: A refusal, as long as nothing has been sent.
  func response() async throws -> Response {
    let (pieces, report) = AsyncThrowingStream.makeStream(of: Piece.self)
    // The task keeps the images and their memory, even after the request's handler has returned.
    let work = Task { [self] in
      do {
        _ = try await caller.answer(
          request.images, options, task: task, client: context.client, context: context
        ) { report.yield($0) }
        report.finish()
      } catch { report.finish(throwing: error) }
    }
    let first = try await withTaskCancellationHandler {
      var iterator = pieces.makeAsyncIterator()
      return try await iterator.next()
    } onCancel: {
      work.cancel()
    }
    guard let first else { throw CancellationError() }
    var headers: HTTPFields = [.contentType: "application/x-ndjson"]
    if let name = AnalysisReply.timingName { headers[name] = AnalysisReply.timing([first]) }
    let names = request.images.dropFirst().map { options.name ?? $0.name }
    let body = ResponseBody(contentLength: nil) { writer in
      defer { work.cancel() }
      try await writer.write(ByteBuffer(string: first.json(masks: options.masks)))
      var rest = AnalysisLines(pieces, of: names, masks: options.masks)
      while let line = try await rest.next() { try await writer.write(ByteBuffer(string: line)) }
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: headers, body: body)
  }
}
#endif
