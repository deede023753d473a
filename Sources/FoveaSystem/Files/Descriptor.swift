// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Reading and writing on file descriptors, with the system's habits (signals, short counts) taken care of.
enum Descriptor {
  /// Fills the front of `chunk`.
  /// - Returns: The number of bytes, 0 at the end, or a negative error number.
  static func read(_ descriptor: Int32, into chunk: inout [UInt8]) -> Int {
    while true {
      let count = systemRead(descriptor, &chunk)
      if count >= 0 { return count }
      guard errno == EINTR else { return -Int(errno) }
    }
  }

  /// Writes everything, waiting where the other side is slow.
  /// - Returns: How much was written, and the error number where that is not everything.
  static func write(_ bytes: some Sequence<UInt8>, to descriptor: Int32) -> (written: Int, error: Int32?) {
    var written = 0
    let error = bytes.withContiguousStorageIfAvailable { buffer -> Int32? in
      while written < buffer.count {
        let rest = unsafe UnsafeRawBufferPointer(buffer)[written...]
        let count = unsafe systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
        if count > 0 {
          written += count
        } else if count < 0 && errno == EAGAIN {
          // A terminal or pipe that another program made non-blocking.
          _ = isReady(descriptor, for: POLLOUT, milliseconds: 1_000)
        } else if count == 0 || errno != EINTR {
          return count == 0 ? ENOSPC : errno
        }
      }
      return nil
    }
    guard let error else { return write(ContiguousArray(bytes), to: descriptor) }
    return (written, error)
  }

  /// What closing a descriptor would report, while it stays open: some file systems find a full disk only then.
  /// - Returns: 0 or the error number.
  static func flush(_ descriptor: Int32) -> Int32 {
    let copy = dup(descriptor)
    guard copy >= 0 else { return errno }
    return close(copy) == 0 || errno == EINTR ? 0 : errno
  }

  /// Waits until a descriptor can be read from or written to, or has failed; false when the time is over.
  static func isReady(_ descriptor: Int32, for event: Int32, milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    return unsafe poll(&waiting, 1, milliseconds) > 0
  }
}

// Outside of the enumeration, whose own `read` and `write` would hide the system's.
private func systemRead(_ descriptor: Int32, _ chunk: inout [UInt8]) -> Int {
  unsafe read(descriptor, &chunk, chunk.count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(descriptor, bytes.baseAddress, bytes.count)
}
