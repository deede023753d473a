// SPDX-License-Identifier: Apache-2.0

/// Reads and writes file descriptors, and handles interrupted and partial calls.
package enum Descriptor {
  /// Fills the front of `chunk`.
  /// - Returns: The number of bytes, 0 at the end, or a negative error number.
  package static func read(_ descriptor: Int32, into chunk: inout [UInt8]) -> Int {
    while true {
      let count = systemRead(descriptor, &chunk)
      if count >= 0 { return count }
      guard errno == EINTR else { return -Int(errno) }
    }
  }

  /// Reads to the end, a chunk at a time.
  /// - Throws: The system's reason, and the errors of `body`.
  package static func forEachChunk(
    of descriptor: Int32, size: Int = 1 << 16, _ body: (ArraySlice<UInt8>) throws(SystemError) -> Void
  ) throws(SystemError) {
    var chunk = [UInt8](repeating: 0, count: size)
    while true {
      let count = read(descriptor, into: &chunk)
      guard count >= 0 else { throw SystemError(Int32(-count)) }
      guard count > 0 else { return }
      try body(chunk[..<count])
    }
  }

  /// Writes everything, and waits if the other side is slow.
  /// - Returns: The number of bytes written, and the error number if that is not everything.
  package static func write(_ bytes: some Sequence<UInt8>, to descriptor: Int32) -> (
    written: Int, error: Int32?
  ) {
    let result = bytes.withContiguousStorageIfAvailable {
      unsafe write(all: UnsafeRawBufferPointer($0), to: descriptor)
    }
    return result ?? write(ContiguousArray(bytes), to: descriptor)
  }

  /// Writes everything, like the method for a sequence.
  package static func write(_ bytes: Span<UInt8>, to descriptor: Int32) -> (written: Int, error: Int32?) {
    unsafe bytes.withUnsafeBytes { unsafe write(all: $0, to: descriptor) }
  }

  private static func write(
    all bytes: UnsafeRawBufferPointer, to descriptor: Int32
  ) -> (written: Int, error: Int32?) {
    var written = 0
    while written < bytes.count {
      let count = unsafe systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: bytes[written...]))
      if count > 0 {
        written += count
      } else if count < 0 && errno == EAGAIN {
        // A terminal or pipe that another program made non-blocking.
        _ = isReady(descriptor, for: POLLOUT, milliseconds: 1_000)
      } else if count == 0 || errno != EINTR {
        return (written, count == 0 ? ENOSPC : errno)
      }
    }
    return (written, nil)
  }

  /// Waits until the written bytes are on the disk; some file systems report a full disk only then.
  ///
  /// Does nothing for descriptors that cannot be synced, such as a pipe.
  /// - Throws: The system's reason.
  package static func sync(_ descriptor: Int32) throws(SystemError) {
    while fsync(descriptor) != 0 {
      if errno == EINVAL || errno == ENOTSUP || errno == EROFS { return }
      guard errno == EINTR else { throw SystemError(errno) }
    }
  }

  /// Closes the descriptor.
  package static func close(_ descriptor: Int32) { systemClose(descriptor) }

  /// Creates a pipe that child programs do not inherit; the caller closes both ends.
  /// - Throws: The system's reason.
  package static func pipe() throws(SystemError) -> (read: Int32, write: Int32) {
    var files: [Int32] = [-1, -1]
    guard systemPipe(&files) == 0 else { throw SystemError(errno) }
    for file in files { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
    return (files[0], files[1])
  }

  /// Waits until a descriptor can be read from or written to, or has failed; returns false after a timeout.
  package static func isReady(_ descriptor: Int32, for event: Int32, milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    return unsafe poll(&waiting, 1, milliseconds) > 0
  }
}

// Outside the enumeration, whose own functions would hide the system's.
private func systemClose(_ descriptor: Int32) { close(descriptor) }

private func systemPipe(_ files: inout [Int32]) -> Int32 { unsafe pipe(&files) }

private func systemRead(_ descriptor: Int32, _ chunk: inout [UInt8]) -> Int {
  unsafe read(descriptor, &chunk, chunk.count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(descriptor, bytes.baseAddress, bytes.count)
}
