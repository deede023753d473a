// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The files of a report: the collected cards, and the page that replaces the older one when it is finished.
final class ReportFile {
  private let page: ReplacedFile
  /// An unlinked file, which disappears however the process ends.
  private let collected: Int32
  private var buffer: [UInt8] = []
  private var isOpen = true

  private static let bufferSize = 1 << 18

  init(_ page: ReplacedFile) throws(RenderError) {
    self.page = page
    // This name is not longer than the partial file's, which fits.
    let path = String(page.partialPath.dropLast(PartialPath.ending.utf8.count)) + ".figures"
    collected = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard collected >= 0 else { throw .reportUnwritable(page.path, SystemError(errno).message) }
    unsafe unlink(path)
  }

  deinit { discard() }

  /// Appends bytes to the part between the start and the end of the page.
  func append(_ bytes: [UInt8]) throws(RenderError) {
    buffer += bytes
    if buffer.count >= Self.bufferSize { try attempt { () throws(SystemError) in try flush() } }
  }

  /// Writes the whole page and renames it to its final name.
  func finish(before: [UInt8], after: [UInt8]) throws(RenderError) {
    guard isOpen else { return }
    try attempt { () throws(SystemError) in
      try flush()
      try page.write(before)
      try copyCollected()
      try page.write(after)
      try page.commit()
    }
    isOpen = false
    close(collected)
  }

  /// Discards the page; an older page stays unchanged.
  func discard() {
    guard isOpen else { return }
    isOpen = false
    close(collected)
    page.discard()
  }

  private func copyCollected() throws(SystemError) {
    var position = 0
    var chunk = [UInt8](repeating: 0, count: Self.bufferSize)
    while true {
      let count = unsafe pread(collected, &chunk, chunk.count, off_t(position))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError(errno) }
      guard count > 0 else { return }
      try page.write(chunk[..<count])
      position += count
    }
  }

  private func flush() throws(SystemError) {
    if let number = Descriptor.write(buffer, to: collected).error { throw SystemError(number) }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Runs a step and discards the page if it fails.
  private func attempt(_ step: () throws(SystemError) -> Void) throws(RenderError) {
    do throws(SystemError) { try step() } catch {
      discard()
      throw .reportUnwritable(page.path, error.message)
    }
  }
}

extension RenderError {
  /// Returns the error for a report that cannot be written.
  package static func reportUnwritable(_ path: String, _ reason: String) -> RenderError {
    RenderError(
      .reportUnwritable, "The report '\(path)' cannot be written: \(reason)",
      remedy: "Name a file in a folder that exists, may be written to and has space")
  }
}
