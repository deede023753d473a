// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaTesting
import Testing

@Suite struct FolderTests {
  @Test func `hidden names are skipped, and a folder that cannot be read is an error`() throws {
    let folder = try TemporaryFolder()
    for name in ["b", "a", ".hidden", "._a", ".thumbnails/x", "sub/x"] { try folder.write(name, "") }
    #expect(try Folder.names(in: folder.path).sorted() == ["a", "b", "sub"])
    #expect(throws: SystemError(ENOENT)) { try Folder.names(in: folder["none"]) }
    #expect(throws: SystemError(ENOTDIR)) { try Folder.names(in: folder["a"]) }
  }

  @Test func `a folder that cannot be synced is an error`() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "")
    #expect(throws: Never.self) { try Folder.sync(folder.path) }
    #expect(throws: SystemError(ENOENT)) { try Folder.sync(folder["none"]) }
    #expect(throws: SystemError(ENOTDIR)) { try Folder.sync(folder["file"]) }
  }

  @Test(arguments: [("none", ENOENT), ("file", ENOTDIR)])
  func `a folder that cannot be opened is an error before its names change`(
    _ name: String, _ number: Int32
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "")
    var isChanged = false
    #expect(throws: SystemError(number)) { try Folder.sync(folder[name]) { isChanged = true } }
    #expect(!isChanged)
  }

  @Test func `names in a write-only folder can change, and an error in between reaches the caller`()
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write("sub/old", "")
    try #require(unsafe chmod(folder["sub"], 0o300) == 0)
    try Folder.sync(folder["sub"]) { () throws(SystemError) in
      guard unsafe rename(folder["sub/old"], folder["sub/new"]) == 0 else { throw SystemError(errno) }
    }
    try #require(unsafe chmod(folder["sub"], 0o700) == 0)
    #expect(try Folder.names(in: folder["sub"]) == ["new"])
    #expect(throws: SystemError(EIO)) {
      try Folder.sync(folder.path) { () throws(SystemError) in throw SystemError(EIO) }
    }
  }

  @Test func `parent folders are created, and existing ones are not listed`() throws {
    let folder = try TemporaryFolder()
    #expect(try Folder.make(leadingTo: folder["a/b/file"]) == [folder["a/"], folder["a/b/"]])
    #expect(try Folder.make(leadingTo: folder["a/b/file"]) == [])
    try folder.write("file", "")
    #expect(throws: SystemError(ENOTDIR)) { try Folder.make(leadingTo: folder["file/b/c"]) }
  }

  @Test func `obstacles to creating a file are known before`() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "")
    #expect(Folder.obstacle(to: folder["a/b/c"]) == nil)
    #expect(Folder.obstacle(to: folder["file/b"]) == SystemError(ENOTDIR))
  }

  @Test func `a lock creates its folders, and removes those that stay empty`() throws {
    let folder = try TemporaryFolder()
    do {
      let lock = try FolderLock(folder["a/b"])
      #expect(throws: SystemError(EWOULDBLOCK)) { try FolderLock(folder["a/b"]) }
      withExtendedLifetime(lock) {}
    }
    #expect(try folder.names() == [])
  }

  @Test func `a released lock is free while a copy of its descriptor is open`() throws {
    let folder = try TemporaryFolder()
    let descriptor = try FileLock.openFolder(folder.path)
    // As a child has it until it runs its program.
    let copy = dup(descriptor)
    defer { Descriptor.close(copy) }
    #expect(throws: SystemError(EWOULDBLOCK)) { try FileLock.openFolder(folder.path) }
    FileLock.release(descriptor)
    FileLock.release(try FileLock.openFolder(folder.path))
  }

  @Test func `a small file is read whole, and a larger one is rejected`() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "12345")
    #expect(try SmallFile.bytes(of: folder["file"], limit: 5) == Array("12345".utf8))
    #expect(throws: SystemError(EFBIG)) { try SmallFile.bytes(of: folder["file"], limit: 4) }
    #expect(throws: SystemError(EISDIR)) { try SmallFile.bytes(of: folder.path, limit: 5) }
    #expect(throws: SystemError(EINVAL)) { try SmallFile.bytes(of: "/dev/null", limit: 5) }
    #expect(throws: SystemError(ENOENT)) { try SmallFile.bytes(of: folder["none"], limit: 5) }
  }
}
