// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats

extension InputImage {
  /// Returns the source of the photo's bytes.
  ///
  /// Files with a UTF-8 path are opened by path when needed. Standard input, pipes, and files with other
  /// names are read here.
  func load(limit: Int, stop: StopSignal) throws(FoveaError) -> Photo.Source {
    if case .file(let path) = source, path.isText, FileStatus(path)?.kind != .other {
      return .file(path.text)
    }
    return .bytes(
      try bytes(limit: limit, stop: stop), name: source == .standardInput ? "standard input" : name)
  }

  /// Reads the whole content.
  func bytes(limit: Int, stop: StopSignal) throws(FoveaError) -> [UInt8] {
    var bytes: [UInt8] = []
    try chunks(limit: limit, stop: stop) { chunk in
      bytes += chunk
      return true
    }
    return bytes
  }

  /// Passes the content to `body` in chunks as they are read, until it returns false.
  func chunks(limit: Int, stop: StopSignal, _ body: (ArraySlice<UInt8>) -> Bool) throws(FoveaError) {
    switch source {
    case .standardInput: try read(STDIN_FILENO, limit: limit, stop: stop, body)
    case .file(let path):
      // Without O_NONBLOCK, opening a named pipe waits for a writer and ignores Ctrl-C; `read` waits instead.
      let descriptor = unsafe open(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { throw unreadable("cannot be opened: \(systemMessage(errno))") }
      defer { close(descriptor) }
      try read(descriptor, limit: limit, stop: stop, body)
    }
  }

  private func read(
    _ descriptor: Int32, limit: Int, stop: StopSignal, _ body: (ArraySlice<UInt8>) -> Bool
  ) throws(FoveaError) {
    var total = 0
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      // Polls every 100 ms, to notice Ctrl-C while nothing arrives.
      while !Descriptor.isReady(descriptor, for: Int32(POLLIN), milliseconds: 100) {
        guard !stop.isRequested else {
          throw FoveaError(
            .interrupted, "interrupted before it was read to its end",
            remedy: "Run the command again")
        }
      }
      let count = Descriptor.read(descriptor, into: &chunk)
      guard count >= 0 else { throw unreadable("cannot be read: \(systemMessage(Int32(-count)))") }
      guard count > 0 else { return }
      total += count
      guard total <= limit else {
        throw FoveaError(
          .inputTooLarge,
          "has more than the \(limit) bytes that are allowed",
          remedy: "Check that it is the right file")
      }
      guard body(chunk[..<count]) else { return }
    }
  }

  private func unreadable(_ what: String) -> FoveaError {
    FoveaError(
      .inputUnreadable, what,
      remedy: "Check the path and its permissions")
  }
}
