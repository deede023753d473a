// SPDX-License-Identifier: Apache-2.0

/// A path as bytes, which need not be valid UTF-8.
package struct FilePath: Sendable, Hashable {
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }
  package init(_ text: String) { bytes = Array(text.utf8) }

  /// Creates the path of a command-line argument.
  ///
  /// Swift passes arguments as text; if that has lost bytes that are not UTF-8, they are read from the
  /// process's own list.
  /// - Parameters:
  ///   - argument: The argument as text.
  ///   - occurrence: The index among the arguments with this text, from 0; two names that are not UTF-8 can
  ///     have the same text.
  package init(argument: String, occurrence: Int = 0) {
    self.init(argument)
    guard argument.unicodeScalars.contains("\u{FFFD}") else { return }
    var count = 0
    for index in 0..<Int(CommandLine.argc) {
      guard let raw = unsafe CommandLine.unsafeArgv[index] else { continue }
      let length = unsafe strlen(raw)
      let candidate = unsafe FilePath(bytes: [UInt8](UnsafeRawBufferPointer(start: raw, count: length)))
      guard candidate.text == argument else { continue }
      self = candidate
      if count == occurrence { return }
      count += 1
    }
  }

  /// The path as text; bytes that are not UTF-8 appear as U+FFFD.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether `text` leads to the same file.
  package var isText: Bool { Array(text.utf8) == bytes }

  /// The bytes with a terminating zero, for C calls.
  package var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

  /// Returns the path of an entry of this folder.
  package func appending(_ name: ArraySlice<UInt8>) -> FilePath {
    FilePath(bytes: bytes + (bytes.last == 0x2F ? [] : [0x2F]) + name)
  }

  /// Returns the path of a name in a folder, as text.
  package static func joined(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// The last part, without slashes at the end.
  package var lastComponent: String { String(text.split(separator: "/").last ?? "") }

  /// The text after the last dot of the last part, in lower case; nil if there is no dot, or nothing before
  /// it.
  package var ending: String? {
    let name = lastComponent
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    return name[name.index(after: dot)...].lowercased()
  }

  /// The folder that contains the last part; "." if the path names none.
  package var parent: String {
    let text = text
    guard let slash = text.lastIndex(of: "/") else { return "." }
    return slash == text.startIndex ? "/" : String(text[..<slash])
  }

  /// Returns a path with all symbolic links followed.
  /// - Throws: The system's reason.
  package static func resolved(_ path: String) throws(SystemError) -> String {
    guard let resolved = unsafe realpath(path, nil) else { throw SystemError(errno) }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
