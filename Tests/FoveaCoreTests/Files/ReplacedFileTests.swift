// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaTesting
import Testing

/// Files appear whole or not at all, whatever they replace and however their writer ends.
@Suite struct ReplacedFileTests {
  static func permissions(_ path: String) -> mode_t? { FileStatus(FilePath(path))?.permissions }

  @Test func `a new file appears when it is complete`() throws {
    let folder = try TemporaryFolder()
    let file = try ReplacedFile(folder["out"])
    try file.write("half".utf8)
    #expect(try folder.names() == ["out.partial"])
    try file.write(" and half".utf8)
    try file.commit()
    #expect(try folder.names() == ["out"])
    #expect(try folder.read("out") == "half and half")
  }

  @Test(arguments: [false, true])
  func `a private file is written whole, with or without a wait for the disk`(_ isSynced: Bool) throws {
    let folder = try TemporaryFolder()
    for text in ["old and long", "new"] {
      try ReplacedFile.write(text.utf8, to: folder["out"], isPrivate: true, isSynced: isSynced)
      #expect(try folder.names() == ["out"] && folder.read("out") == text)
    }
    #expect(Self.permissions(folder["out"]) == 0o600)
  }

  @Test(arguments: [false, true])
  func `a write that is cancelled at its end keeps what was there`(_ isThere: Bool) throws {
    let folder = try TemporaryFolder()
    if isThere { try folder.write("out", "old") }
    var content: String?
    #expect(throws: SystemError(ECANCELED)) {
      try ReplacedFile.write("new".utf8, to: folder["out"]) {
        content = try? folder.read("out.partial")
        return true
      }
    }
    #expect(content == "new")
    #expect(try folder.names() == (isThere ? ["out"] : []))
    if isThere { #expect(try folder.read("out") == "old") }
  }

  @Test func `an existing file keeps its permissions`() throws {
    let folder = try TemporaryFolder()
    try folder.write("out", "old")
    for permissions in [0o600, 0o400, 0o640] as [mode_t] {
      try #require(unsafe chmod(folder["out"], permissions) == 0)
      let file = try ReplacedFile(folder["out"])
      #expect(Self.permissions(file.partialPath) == permissions | S_IWUSR)
      try file.write("new".utf8)
      #expect(try folder.read("out") != "new" || permissions != 0o600)
      try file.commit()
      #expect(Self.permissions(folder["out"]) == permissions)
    }
  }

  @Test func `a new file has the given permissions, also while it is written`() throws {
    let folder = try TemporaryFolder()
    let file = try ReplacedFile(folder["secret"], permissions: 0o600)
    #expect(Self.permissions(file.partialPath) == 0o600)
    try file.write("new".utf8)
    try file.commit()
    #expect(Self.permissions(folder["secret"]) == 0o600)
  }

  /// The files before a private file is written, and the names afterwards.
  struct PrivateCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let prepare: @Sendable (TemporaryFolder) throws -> Void
    let left: [String]
  }

  @Test(arguments: [
    PrivateCase(testDescription: "nothing", prepare: { _ in }, left: ["key"]),
    PrivateCase(
      testDescription: "a file that others may read", prepare: { _ = try $0.write("key", "old") },
      left: ["key"]),
    PrivateCase(
      testDescription: "files left by a killed process",
      prepare: {
        let path = try $0.write("key.partial", "half")
        guard unsafe chmod(path, 0o666) == 0 else { throw SystemError(errno) }
      }, left: ["key"]),
    PrivateCase(
      testDescription: "files left by another user's killed process",
      prepare: {
        let path = try $0.write("key.partial", "half")
        guard unsafe chmod(path, 0) == 0 else { throw SystemError(errno) }
      }, left: ["key"]),
    PrivateCase(
      testDescription: "a broken link with the name of the partial file",
      prepare: { try $0.link("key.partial", to: "none") }, left: ["key"]),
    PrivateCase(
      testDescription: "a link to a file with the name of the partial file",
      prepare: {
        try $0.write("real", "old")
        try $0.link("key.partial", to: "real")
      }, left: ["key", "real"]),
    PrivateCase(
      testDescription: "a pipe with the name of the partial file",
      prepare: { guard unsafe mkfifo($0["key.partial"], 0o600) == 0 else { throw SystemError(errno) } },
      left: ["key"]),
    PrivateCase(
      testDescription: "a link to a pipe",
      prepare: {
        guard unsafe mkfifo($0["pipe"], 0o600) == 0 else { throw SystemError(errno) }
        try $0.link("key", to: "pipe")
      }, left: ["key", "pipe"]),
    PrivateCase(
      testDescription: "a link",
      prepare: {
        try $0.write("real", "old")
        try $0.link("key", to: $0["real"])
      }, left: ["key", "real"]),
  ])
  func `only its owner can read a private file, from the first byte on`(row: PrivateCase) throws {
    let folder = try TemporaryFolder()
    try row.prepare(folder)
    let file = try ReplacedFile(folder["key"], isPrivate: true)
    #expect(Self.permissions(file.partialPath) == 0o600)
    #expect(try folder.read("key.partial") == "")
    try file.write("new".utf8)
    try file.commit()
    #expect(Self.permissions(folder["key"]) == 0o600)
    #expect(SymbolicLink.isLink(folder["key"]) == false)
    #expect(try folder.read("key") == "new")
    #expect(try folder.names() == row.left)
    if folder.exists("real") { #expect(try folder.read("real") == "old") }
  }

  @Test func `a private file does not replace one that another process writes`() throws {
    let folder = try TemporaryFolder()
    let other = try ReplacedFile(folder["key"])
    try other.write("theirs".utf8)
    #expect(throws: SystemError(EWOULDBLOCK)) { try ReplacedFile(folder["key"], isPrivate: true) }
    try other.commit()
    #expect(try folder.read("key") == "theirs")
  }

  @Test func `a folder with the name of a private file's partial file stays`() throws {
    let folder = try TemporaryFolder()
    try folder.write("key.partial/file", "old")
    #expect(throws: SystemError(EEXIST)) { try ReplacedFile(folder["key"], isPrivate: true) }
    #expect(try folder.names() == ["key.partial"])
  }

  @Test(arguments: [false, true])
  func `a folder or a pipe is not replaced`(isPrivate: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("folder/file", "old")
    try #require(unsafe mkfifo(folder["pipe"], 0o600) == 0)
    for (name, number) in [("folder", EISDIR), ("pipe", EINVAL)] {
      #expect(throws: SystemError(number)) { try ReplacedFile(folder[name], isPrivate: isPrivate) }
    }
    let late = try ReplacedFile(folder["late"], isPrivate: isPrivate)
    try late.write("new".utf8)
    try #require(unsafe mkfifo(folder["late"], 0o600) == 0)
    #expect(throws: SystemError(EINVAL)) { try late.commit() }
    late.discard()
    #expect(try folder.names() == ["folder", "late", "pipe"])
    #expect(FileStatus(FilePath(folder["late"]))?.kind == .other)
  }

  @Test func `bytes for a pipe or a device are written into it`() throws {
    let folder = try TemporaryFolder()
    try #require(unsafe mkfifo(folder["pipe"], 0o600) == 0)
    try folder.link("link", to: "pipe")
    // Also a reader, or the write would block.
    let pipe = unsafe open(folder["pipe"], O_RDWR | O_NONBLOCK | O_CLOEXEC)
    try #require(pipe >= 0)
    defer { Descriptor.close(pipe) }
    for name in ["pipe", "link"] { try ReplacedFile.write("new".utf8, to: folder[name]) }
    var chunk = [UInt8](repeating: 0, count: 16)
    let count = Descriptor.read(pipe, into: &chunk)
    #expect(count == 6 && chunk.starts(with: "newnew".utf8))
    #expect(throws: SystemError(EINVAL)) {
      try ReplacedFile.write("new".utf8, to: folder["pipe"], isPrivate: true)
    }
    #expect(throws: SystemError(EEXIST)) {
      try ReplacedFile.write("new".utf8, to: folder["pipe"], replaces: false)
    }
    #expect(throws: SystemError(ENOSPC)) { try ReplacedFile.write("new".utf8, to: "/dev/full") }
    #expect(try folder.names() == ["link", "pipe"])
    #expect(FileStatus(FilePath(folder["pipe"]))?.kind == .other)
  }

  @Test(arguments: [false, true])
  func `a file that must not replace another only uses a free name`(isPrivate: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "old")
    try folder.write("folder/file", "old")
    try folder.link("link", to: "none")
    for name in ["file", "folder", "link"] {
      #expect(throws: SystemError(EEXIST)) {
        try ReplacedFile.write("new".utf8, to: folder[name], isPrivate: isPrivate, replaces: false)
      }
    }
    let late = try ReplacedFile(folder["late"], isPrivate: isPrivate, replaces: false)
    try late.write("new".utf8)
    try folder.write("late", "old")
    #expect(throws: SystemError(EEXIST)) { try late.commit() }
    late.discard()
    try ReplacedFile.write("new".utf8, to: folder["free"], isPrivate: isPrivate, replaces: false)
    #expect(try folder.read("free") == "new")
    #expect(try folder.read("late") == "old")
    #expect(try folder.names() == ["file", "folder", "free", "late", "link"])
  }

  @Test func `a library can write the file by its path`() throws {
    let folder = try TemporaryFolder()
    let file = try ReplacedFile(folder["out"], isPrivate: true, replaces: false)
    let path = try file.handOver()
    #expect(path == folder["out.partial"])
    Descriptor.close(try FileLock.open(path).descriptor)
    try folder.write("out.partial", "new")
    try file.commit()
    #expect(try folder.names() == ["out"])
    #expect(try folder.read("out") == "new")
    #expect(Self.permissions(folder["out"]) == 0o600)
  }

  @Test func `a moved file replaces another, and a failed move leaves both`() throws {
    let folder = try TemporaryFolder()
    for name in ["new", "old", "folder/file"] { try folder.write(name, name) }
    #expect(throws: SystemError(EISDIR)) { try ReplacedFile.move(folder["new"], to: folder["folder"]) }
    #expect(throws: SystemError(ENOENT)) { try ReplacedFile.move(folder["none"], to: folder["old"]) }
    try ReplacedFile.move(folder["new"], to: folder["old"])
    #expect(try folder.names() == ["folder", "old"])
    #expect(try folder.read("old") == "new")
  }

  @Test func `the target of a symbolic link is replaced`() throws {
    let folder = try TemporaryFolder()
    try folder.write("there/real", "old")
    try folder.link("link", to: folder["there/real"])
    try folder.link("link to link", to: folder["link"])
    try ReplacedFile.write("new".utf8, to: folder["link to link"])
    #expect(try folder.read("there/real") == "new")
    #expect(SymbolicLink.isLink(folder["link to link"]) == true)
    #expect(SymbolicLink.isLink(folder["link"]) == true)
    #expect(try folder.names() == ["link", "link to link", "there"])
  }

  @Test func `the missing target of a link is created, and a loop is rejected`() throws {
    let folder = try TemporaryFolder()
    try folder.write("there/other", "")
    try folder.link("there/second", to: "new")
    try folder.link("first", to: "there/second")
    try ReplacedFile.write("a".utf8, to: folder["first"])
    #expect(try folder.read("there/new") == "a")
    #expect(SymbolicLink.isLink(folder["first"]) == true)
    try folder.link("a", to: folder["b"])
    try folder.link("b", to: folder["a"])
    #expect(throws: SystemError(ELOOP)) { try ReplacedFile(folder["a"]) }
  }

  /// Most file systems allow 255 bytes; the last one is within a two-byte character.
  @Test(arguments: [247, 248, 250, 255]) func `a long name needs no extra length`(_ length: Int) throws {
    let folder = try TemporaryFolder()
    for name in [String(repeating: "n", count: length), String(repeating: "ü", count: length / 2)] {
      try ReplacedFile.write("a".utf8, to: folder[name])
      #expect(try folder.read(name) == "a")
    }
    #expect(try folder.names().count == 2)
    #expect(throws: SystemError(ENAMETOOLONG)) {
      _ = try ReplacedFile(folder[String(repeating: "n", count: 256)])
    }
  }

  @Test func `a discarded file leaves the old one`() throws {
    let folder = try TemporaryFolder()
    try folder.write("out", "old")
    let file = try ReplacedFile(folder["out"])
    try file.write("new".utf8)
    file.discard()
    try file.commit()
    #expect(try folder.names() == ["out"])
    #expect(try folder.read("out") == "old")
  }

  @Test func `a file without a write leaves nothing, and unfinished bytes stay`() throws {
    let folder = try TemporaryFolder()
    do { withExtendedLifetime(try ReplacedFile(folder["none"])) {} }
    #expect(try folder.names() == [])
    do {
      let file = try ReplacedFile(folder["out"])
      try file.write("half".utf8)
    }
    #expect(try folder.names() == ["out.partial"])
    // The next writer removes it, but not before it writes.
    let next = try ReplacedFile(folder["out"])
    #expect(try folder.read("out.partial") == "half")
    try next.begin()
    #expect(try folder.read("out.partial") == "")
    try next.commit()
    #expect(try folder.names() == ["out"])
  }

  @Test func `a second writer is rejected, also in the file itself`() throws {
    let folder = try TemporaryFolder()
    let file = try ReplacedFile(folder["out"])
    #expect(throws: SystemError(EWOULDBLOCK)) { try ReplacedFile.write("x".utf8, to: folder["out"]) }
    let (descriptor, _) = try FileLock.open(folder["out"])
    #expect(throws: SystemError(EWOULDBLOCK)) { try file.commit() }
    Descriptor.close(descriptor)
    try file.commit()
    #expect(throws: Never.self) { try ReplacedFile.write("y".utf8, to: folder["out"]) }
    #expect(try folder.read("out") == "y")
  }

  @Test func `the lock can outlive the replacement`() throws {
    let folder = try TemporaryFolder()
    let file = try ReplacedFile(folder["out"])
    try file.write("new".utf8)
    let descriptor = try file.commitKeepingLock()
    #expect(throws: SystemError(EWOULDBLOCK)) { try FileLock.open(folder["out"]) }
    Descriptor.close(descriptor)
    Descriptor.close(try FileLock.open(folder["out"]).descriptor)
    #expect(try folder.read("out") == "new")
  }

  @Test func `a missing or read-only folder is the system's error`() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "")
    #expect(throws: SystemError(ENOENT)) { try ReplacedFile(folder["none/out"]) }
    #expect(throws: SystemError(ENOTDIR)) { try ReplacedFile(folder["file/out"]) }
    #expect(SystemError(ENOENT).message == "No such file or directory")
  }

  /// A device that is always full.
  @Test func `a full disk is reported by the write that meets it`() throws {
    let full = unsafe open("/dev/full", O_WRONLY)
    try #require(full >= 0)
    defer { close(full) }
    #expect(Descriptor.write([1, 2, 3], to: full).error == ENOSPC)
    #expect(SystemError(ENOSPC).isFull && SystemError(EDQUOT).isFull && !SystemError(EIO).isFull)
    let limit = "Raise the limit on the size of files (ulimit -f)"
    for (number, remedy) in [
      (ENOSPC, "Free some space"), (EDQUOT, "Free some space"), (EFBIG, limit), (EIO, nil), (0, nil),
    ] as [(Int32, String?)] {
      #expect(SystemError(number).spaceRemedy == remedy)
      #expect(SystemError(number).isTooLarge == (remedy == limit))
    }
  }
}
