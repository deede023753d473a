// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// A blob backed by an open file.
final class FileBlob: Blob {
  let path: String
  let size: Int64
  let file: Int32
  let isVerified: Bool

  var descriptor: Int32? { file }

  /// - Throws: `not-found`, also for a link and anything else but a regular file; `unavailable`.
  init(path: String, isVerified: Bool = false) throws(HostError) {
    // A link may point outside the host's folder; opening a pipe would wait for its writer.
    file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else {
      switch errno {
      case ENOENT: throw .noBlob
      case ELOOP: throw .notBlob(.link)
      case ENXIO: throw .notBlob(.special)
      default: throw HostError(system: SystemError(errno))
      }
    }
    guard let status = FileStatus(descriptor: file), status.kind == .file else {
      let isFolder = FileStatus(descriptor: file)?.kind == .folder
      Descriptor.close(file)
      throw .notBlob(isFolder ? .folder : .special)
    }
    self.path = path
    self.isVerified = isVerified
    size = Int64(status.size)
  }

  deinit { Descriptor.close(file) }

  func read(at offset: Int64, into memory: UnsafeMutableRawBufferPointer) throws(HostError) -> Int {
    guard offset >= 0 else {
      throw HostError(.invalid, "A file cannot be read from offset \(offset)", remedy: "Start at 0")
    }
    while true {
      // SAFETY: the call writes at most the buffer's bytes.
      let count = unsafe pread(file, memory.baseAddress, memory.count, off_t(offset))
      if count >= 0 { return count }
      guard errno == EINTR else { throw HostError(system: SystemError(errno)) }
    }
  }
}

extension HostError {
  static var noBlob: HostError {
    HostError(.notFound, "The file does not exist", remedy: "Upload it again", cause: WireText.entityNotFound)
  }

  /// Returns the error for something else that has the name of a file.
  static func notBlob(_ fault: BlobFault) -> HostError {
    HostError(
      .notFound, "The file does not exist: \(fault.rawValue) has its name", remedy: "Upload it again",
      cause: fault)
  }
}
#endif
