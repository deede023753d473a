// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import NIOCore
import NIOHTTP1

/// A part of an open file that is the next piece of an answer's body.
///
/// It is an outbound event, which keeps its place among the writes; the event has succeeded when all bytes are with the kernel.
struct FileSegment: Sendable {
  /// Keeps the descriptor open.
  let source: any ByteRangeSource
  let descriptor: Int32
  let range: Range<Int64>
  /// Called with the number of bytes of each piece.
  let sent: @Sendable (Int) -> Void
}

/// Lets the kernel send parts of files (`sendfile`): their bytes never come into this process.
///
/// It works on bare connections alone. With TLS it is left out; the event then fails as one that is not known.
final class FileSending: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// Bytes of one piece.
  ///
  /// A connection counts as stalled where a piece makes no way out of it.
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
      // The descriptor is the source's to close.
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
    // Past the end of a file the kernel sends nothing, and the loop would ask for ever.
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
