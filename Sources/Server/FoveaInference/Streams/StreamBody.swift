// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// Answers whose body continues until the viewer disconnects, the source ends or the server drains.
struct StreamBody: Sendable {
  let source: StreamSource
  let context: HTTPContext
  /// The time between two ticks.
  let interval: Duration

  /// Returns an answer with frames as text.
  func text(_ form: StreamText) -> Response {
    let name = source.entry.name
    return response(form.type, .lines) { event in form.text(of: event, name: name).map { [$0] } ?? [] }
  }

  /// Returns an answer with frames with boxes, as an image that is replaced repeatedly.
  func video() -> Response {
    response("multipart/x-mixed-replace; boundary=frame", .annotated) { event in
      guard case .frame(let frame) = event, let image = frame.annotated else { return [] }
      let head = "--frame\r\nContent-Type: image/jpeg\r\nContent-Length: \(image.readableBytes)\r\n\r\n"
      return [ByteBuffer(string: head), image, ByteBuffer(string: "\r\n")]
    }
  }

  private func response(
    _ type: String, _ need: StreamViewer.Need,
    _ pieces: @escaping @Sendable (StreamViewer.Event) -> [ByteBuffer]
  ) -> Response {
    let headers: HTTPFields = [.contentType: type, .cacheControl: "no-store"]
    let body = ResponseBody(contentLength: nil) { [self] writer in
      let (id, viewer) = source.join(need)
      defer { source.leave(id) }
      let forget = context.whenPeerGoes { viewer.end() }
      defer { forget() }
      viewer.whenCut { context.closeConnection() }
      defer { viewer.whenCut(nil) }
      let ticks = Task { [interval] in
        while (try? await Task.sleep(for: interval)) != nil { viewer.put(.tick) }
      }
      defer { ticks.cancel() }
      while let event = await viewer.next() {
        for piece in pieces(event) { try await writer.write(piece) }
      }
      // A connection being closed accepts no more.
      try Task.checkCancellation()
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: headers, body: body)
  }
}
#endif
