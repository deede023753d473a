// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
package import HTTPTypes
package import NIOCore
import NIOWebSocket
import Synchronization

/// Messages on their way from a connection to its route.
final class LiveInbox: Sendable {
  private let messages = Mailbox<LiveMessage>()
  private let count = Atomic(0)
  private let over = Atomic(false)

  /// How many wait; the connection reads no more while there are many.
  var waiting: Int { count.load(ordering: .relaxed) }

  /// Whether the connection is closed: its event loop is then no longer called, which may have ended.
  var isOver: Bool { over.load(ordering: .acquiring) }

  /// Notes that the connection is closed.
  func end() {
    over.store(true, ordering: .releasing)
    finish()
  }

  func put(_ message: LiveMessage) {
    count.add(1, ordering: .relaxed)
    messages.put(message)
  }

  /// Lets nothing in any more; what waits is still given out.
  func finish() { messages.finish() }

  /// Takes the next message, and waits for it; nil after the end.
  func take() async -> LiveMessage? {
    guard let message = await messages.take() else { return nil }
    count.subtract(1, ordering: .relaxed)
    return message
  }
}

/// A WebSocket as a route sees it: messages in, texts out.
package final class LiveConnection: Sendable {
  /// The peer's address, without its port.
  package let peer: String
  /// The request that the connection was asked for with.
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

  /// The next message; nil when the connection has ended.
  ///
  /// One task alone may ask.
  package func next() async -> LiveMessage? {
    let message = await inbox.take()
    if message != nil { onLoop { $0.resume() } }
    return message
  }

  /// Sends a text, and returns when the system has taken it: a peer that does not read holds the caller up.
  /// - Throws: `ChannelError` where the connection has ended.
  package func send(_ text: String) async throws {
    guard !inbox.isOver else { throw ChannelError.ioOnClosedChannel }
    let promise = loop.makePromise(of: Void.self)
    loop.execute { [frames] in frames.value.send(ByteBuffer(string: text), as: .text, promise) }
    try await promise.futureResult.get()
  }

  /// Sends bytes as one message, and returns when the system has taken it.
  /// - Throws: `ChannelError` where the connection has ended.
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
