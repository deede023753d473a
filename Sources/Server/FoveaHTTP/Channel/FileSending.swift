// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import NIOCore
import NIOHTTP1

/// A part of an open file, as the next piece of an answer's body.
///
/// It is an outbound event, which keeps its order among the writes; the event succeeds when all bytes have
/// been passed to the kernel.
struct FileSegment: Sendable {
  /// Keeps the descriptor open.
  let source: any ByteRangeSource
  let descriptor: Int32
  let range: Range<Int64>
  /// Called with the number of bytes of each piece.
  let sent: @Sendable (Int) -> Void
}

/// Sends parts of files through the kernel (`sendfile`), without reading them into this process.
///
/// It works only on connections without TLS. With TLS it is left out, and the event fails as unknown.
final class FileSending: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// The number of bytes in a piece.
  ///
  /// A connection counts as stalled if a piece makes no progress.
  static let piece: Int64 = 256 << 10

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
  ) {
    guard let segment = event as? FileSegment else {
      return context.triggerUserOutboundEvent(event, promise: promise)
    }
    let handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: segment.descriptor)
    let end = promise ?? context.eventLoop.makePromise(of: Void.self)
    end.futureResult.whenComplete { _ in
      // The source closes the descriptor.
      withExtendedLifetime(segment.source) { _ = try? handle.takeDescriptorOwnership() }
    }
    send(segment, from: segment.range.lowerBound, handle, end, context)
  }

  private func send(
    _ segment: FileSegment, from start: Int64, _ handle: NIOFileHandle, _ end: EventLoopPromise<Void>,
    _ context: ChannelHandlerContext
  ) {
    guard start < segment.range.upperBound else { return end.succeed() }
    let next = min(start + FileSending.piece, segment.range.upperBound)
    // Past the end of a file the kernel sends nothing, and the loop would never end.
    guard Int64(FileStatus(descriptor: segment.descriptor)?.size ?? 0) >= next else {
      return end.fail(FileEnded())
    }
    let region = FileRegion(fileHandle: handle, readerIndex: Int(start), endIndex: Int(next))
    let written = context.eventLoop.makePromise(of: Void.self)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    written.futureResult.assumeIsolated().whenComplete { result in
      switch result {
      case .success:
        segment.sent(Int(next - start))
        let (sending, context) = bound.value
        sending.send(segment, from: next, handle, end, context)
      case .failure(let error): end.fail(error)
      }
    }
    context.writeAndFlush(wrapOutboundOut(.body(.fileRegion(region))), promise: written)
  }
}
#endif
