// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
package import HTTPTypes
package import NIOCore
import NIOWebSocket
import Synchronization

/// The messages between a connection and its route.
final class LiveInbox: Sendable {
  private let messages = Mailbox<LiveMessage>()
  private let count = Atomic(0)
  private let over = Atomic(false)

  /// The number of waiting messages; the connection stops reading while there are many.
  var waiting: Int { count.load(ordering: .relaxed) }

  /// Whether the connection is closed: its event loop, which may have ended, is then no longer called.
  var isOver: Bool { over.load(ordering: .acquiring) }

  /// Records that the connection is closed.
  func end() {
    over.store(true, ordering: .releasing)
    finish()
  }

  func put(_ message: LiveMessage) {
    count.add(1, ordering: .relaxed)
    messages.put(message)
  }

  /// Accepts no more messages; waiting ones are still delivered.
  func finish() { messages.finish() }

  /// Returns the next message, waiting if necessary; nil after the end.
  func take() async -> LiveMessage? {
    guard let message = await messages.take() else { return nil }
    count.subtract(1, ordering: .relaxed)
    return message
  }
}

/// A WebSocket for a route: it receives messages and sends text messages.
package final class LiveConnection: Sendable {
  /// The peer's address, without its port.
  package let peer: String
  /// The request that opened the connection.
  package let head: HTTPRequest
  private let inbox: LiveInbox
  private let frames: NIOLoopBound<LiveFrames>
  private let loop: any EventLoop

  init(peer: String, head: HTTPRequest, inbox: LiveInbox, frames: LiveFrames, loop: any EventLoop) {
    self.peer = peer
    self.head = head
    self.inbox = inbox
    self.frames = NIOLoopBound(frames, eventLoop: loop)
    self.loop = loop
  }

  /// Returns the next message; nil when the connection has ended.
  ///
  /// Only one task may call it.
  package func next() async -> LiveMessage? {
    let message = await inbox.take()
    if message != nil { onLoop { $0.resume() } }
    return message
  }

  /// Sends a text message, and returns when the system has accepted it: a peer that does not read delays the
  /// caller.
  /// - Throws: `ChannelError` if the connection has ended.
  package func send(_ text: String) async throws {
    guard !inbox.isOver else { throw ChannelError.ioOnClosedChannel }
    let promise = loop.makePromise(of: Void.self)
    loop.execute { [frames] in frames.value.send(ByteBuffer(string: text), as: .text, promise) }
    try await promise.futureResult.get()
  }

  /// Sends bytes as one message, and returns when the system has accepted it.
  /// - Throws: `ChannelError` if the connection has ended.
  package func send(_ bytes: ByteBuffer) async throws {
    guard !inbox.isOver else { throw ChannelError.ioOnClosedChannel }
    let promise = loop.makePromise(of: Void.self)
    loop.execute { [frames] in frames.value.send(bytes, as: .binary, promise) }
    try await promise.futureResult.get()
  }

  /// Closes with a code; the next message is then nil.
  package func close(_ closing: LiveClosing) { onLoop { $0.close(closing) } }

  private func onLoop(_ body: @escaping @Sendable (LiveFrames) -> Void) {
    guard !inbox.isOver else { return }
    loop.execute { [frames] in body(frames.value) }
  }
}
#endif
