// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The files behind a report: what is collected, and the page that replaces the older one when it is whole.
final class ReportFile {
  private let path: String
  private let partialPath: String
  /// The page in the making.
  private let page: Int32
  /// A file without a name: nothing of it is left behind, however the process ends.
  private let collected: Int32
  private var buffer: [UInt8] = []
  private var isOpen = true

  private static let bufferSize = 1 << 18

  init(path: String, partialPath: String) throws(RenderError) {
    self.path = path
    self.partialPath = partialPath
    var status = stat()
    if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw Self.unwritable(path, "it is a folder or a device")
    }
    // As long as the other name, which fits.
    let collectedPath = String(partialPath.dropLast("partial".count)) + "figures"
    page = unsafe open(partialPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard page >= 0 else { throw Self.unwritable(path, Self.system(errno)) }
    collected = unsafe open(collectedPath, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    let number = errno
    guard collected >= 0 else {
      close(page)
      unsafe unlink(partialPath)
      throw Self.unwritable(path, Self.system(number))
    }
    unsafe unlink(collectedPath)
  }

  deinit { discard() }

  /// Adds text to what comes between the start and the end of the page.
  func append(_ text: String) throws(RenderError) {
    buffer += text.utf8
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Writes the whole page and gives it its name.
  func finish(before: String, after: String) throws(RenderError) {
    guard isOpen else { return }
    try flush()
    try write(Array(before.utf8), to: page)
    var position = 0
    var chunk = [UInt8](repeating: 0, count: Self.bufferSize)
    while true {
      let count = unsafe pread(collected, &chunk, chunk.count, off_t(position))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw fail(errno) }
      guard count > 0 else { break }
      try write(Array(chunk[..<count]), to: page)
      position += count
    }
    try write(Array(after.utf8), to: page)
    isOpen = false
    close(collected)
    // Some file systems report a full disk only now.
    var number: Int32 = close(page) == 0 ? 0 : errno
    if number == 0, unsafe rename(partialPath, path) != 0 { number = errno }
    guard number == 0 else {
      unsafe unlink(partialPath)
      throw Self.unwritable(path, Self.system(number))
    }
  }

  /// Gives up; an older page stays.
  func discard() {
    guard isOpen else { return }
    isOpen = false
    close(page)
    close(collected)
    unsafe unlink(partialPath)
  }

  private func flush() throws(RenderError) {
    try write(buffer, to: collected)
    buffer.removeAll(keepingCapacity: true)
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) throws(RenderError) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: buffer[written...]))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw fail(count == 0 ? ENOSPC : errno) }
      written += count
    }
  }

  private func fail(_ number: Int32) -> RenderError {
    discard()
    return Self.unwritable(path, Self.system(number))
  }

  private static func unwritable(_ path: String, _ reason: String) -> RenderError {
    RenderError(
      code: .reportUnwritable, message: "The report '\(path)' cannot be written: \(reason)",
      remedy: "Name a file in a folder that exists, may be written to and has space")
  }

  private static func system(_ number: Int32) -> String {
    // strerror may use a static buffer in theory; glibc's is per thread.
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text)
  }
}

// Outside of the class, whose own `write` would hide the system's.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(descriptor, bytes.baseAddress, bytes.count)
}
