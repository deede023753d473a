// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// The next frame of a source with its boxes, as one JPEG.
struct StreamImage: Sendable {
  let source: StreamSource
  /// The time to wait for the frame.
  let patience: Duration

  /// Returns the answer.
  /// - Throws: A refusal if there is no frame yet, or the source has failed.
  func response(_ context: HTTPContext) async throws -> Response {
    let image = try await context.whilePeerWaits { try await next() }
    let headers: HTTPFields = [
      .contentType: "image/jpeg", .contentLength: String(image.readableBytes), .cacheControl: "no-store",
    ]
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: image))
  }

  private func next() async throws -> ByteBuffer {
    let (id, viewer) = source.join(.annotated)
    defer { source.leave(id) }
    let end = Task { [patience] in
      guard (try? await Task.sleep(for: patience)) != nil else { return }
      viewer.end()
    }
    defer { end.cancel() }
    while let event = await viewer.next() {
      // A frame processed before has no boxes drawn.
      if case .frame(let frame) = event, let image = frame.annotated { return image }
    }
    try Task.checkCancellation()
    let status = source.status
    if let error = status.lastError { throw error.retrying(after: 5) }
    throw Refusal(
      .serviceUnavailable, "stream-not-ready",
      "The source '\(source.entry.name)' has no frame yet; it is \(status.stage.rawValue)",
      remedy: "Retry the request"
    ).retrying(after: 1)
  }
}
#endif
