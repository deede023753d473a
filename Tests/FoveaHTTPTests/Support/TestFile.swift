// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore
import FoveaTesting

/// A file as opened by one response; counts `closed` when it is released.
final class OpenFile: ByteRangeSource {
  private let file: any ByteRangeSource
  private let metrics: Metrics

  var size: Int64 { file.size }
  var descriptor: Int32? { file.descriptor }

  init(file: any ByteRangeSource, metrics: Metrics) {
    self.file = file
    self.metrics = metrics
  }

  deinit { metrics.add("closed") }

  func read(at offset: Int64, into memory: UnsafeMutableRawBufferPointer) throws -> Int {
    try unsafe file.read(at: offset, into: memory)
  }
}

/// A file of known bytes that the kernel can send or the server has to read.
final class TestFile: ByteRangeSource {
  let bytes: [UInt8]
  let path: String
  /// Nil if the server must read it.
  let descriptor: Int32?
  private let file: Int32
  private let folder: TemporaryFolder

  var size: Int64 { Int64(bytes.count) }

  init(count: Int, isHanded: Bool) throws {
    folder = try TemporaryFolder()
    var numbers = SeededGenerator(seed: 5)
    // A prime number of bytes, so that no two chunks of a file are equal.
    let letters = (0..<10_007).map { _ in UInt8.random(in: 0x61...0x7A, using: &numbers) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count { bytes += letters.prefix(count - bytes.count) }
    self.bytes = bytes
    path = try folder.write("file", bytes)
    file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw TestFailure("no file: \(errno)") }
    descriptor = isHanded ? file : nil
  }

  deinit { close(file) }

  func read(at offset: Int64, into memory: UnsafeMutableRawBufferPointer) throws -> Int {
    // SAFETY: the call writes at most the buffer's bytes.
    unsafe pread(file, memory.baseAddress, memory.count, off_t(offset))
  }
}
#endif
