// SPDX-License-Identifier: Apache-2.0
#if Server
import HTTPTypes
import NIOCore
import NIOHTTP1

/// Closes the connection instead of answering a client that has disconnected.
///
/// A client that has closed its half of the connection counts as disconnected; ``Refusal/clientGone`` is only
/// for logs and metrics. An answer with the same status but another reason phrase is sent: Google Cloud
/// Storage ends an upload with 499.
final class UnsentAnswers: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private var isUnsent = false

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let part = unwrapOutboundIn(data)
    let gone = Refusal.clientGone.status
    if case .head(let head) = part, head.status.code == UInt(gone.code),
      head.status.reasonPhrase == gone.reasonPhrase
    {
      isUnsent = true
    }
    guard isUnsent else { return context.write(data, promise: promise) }
    guard case .end = part else {
      promise?.succeed()
      return
    }
    context.close(promise: promise)
  }
}
#endif
