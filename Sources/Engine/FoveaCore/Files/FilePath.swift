// SPDX-License-Identifier: Apache-2.0

/// A path as the file system knows it: bytes, which need not be valid UTF-8.
package struct FilePath: Sendable, Hashable {
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }
  package init(_ text: String) { bytes = Array(text.utf8) }

  /// The path that an argument of the command line means.
  ///
  /// Swift gives arguments as text; where that has lost bytes that are no UTF-8, the process's own list has them.
  /// - Parameters:
  ///   - argument: The argument as text.
  ///   - occurrence: Which one of the arguments with this text, from 0: two names can have lost different bytes.
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

  /// The path as text; bytes that are no UTF-8 appear as U+FFFD.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether `text` leads to the same file.
  package var isText: Bool { Array(text.utf8) == bytes }

  /// The bytes with a zero at the end, as C calls take them.
  package var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

  /// The path of an entry of this folder.
  package func appending(_ name: ArraySlice<UInt8>) -> FilePath {
    FilePath(bytes: bytes + (bytes.last == 0x2F ? [] : [0x2F]) + name)
  }

  /// The path of a name in a folder, as text.
  package static func joined(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// The last part, without slashes at the end.
  package var lastComponent: String { String(text.split(separator: "/").last ?? "") }

  /// What follows the last dot of the last part, in lower case; nil where there is no dot, or nothing before it.
  package var ending: String? {
    let name = lastComponent
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    return name[name.index(after: dot)...].lowercased()
  }

  /// The folder that holds the last part, "." where none is named.
  package var parent: String {
    let text = text
    guard let slash = text.lastIndex(of: "/") else { return "." }
    return slash == text.startIndex ? "/" : String(text[..<slash])
  }

  /// A path with every symbolic link followed.
  /// - Throws: The system's reason.
  package static func resolved(_ path: String) throws(SystemError) -> String {
    guard let resolved = unsafe realpath(path, nil) else { throw SystemError(errno) }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
