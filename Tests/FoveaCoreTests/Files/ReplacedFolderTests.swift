// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaCore
import FoveaTesting
import Testing

@Suite struct ReplacedFolderTests {
  private static func written(_ path: String, _ text: String = "new") throws -> ReplacedFolder {
    let folder = try ReplacedFolder(path)
    try folder.write(text.utf8, to: "a")
    return folder
  }

  @Test func `a folder exists with all its files or not at all`() throws {
    let folder = try TemporaryFolder()
    do {
      let new = try Self.written(folder["x/y/"])
      #expect(try folder.names() == ["x"])
      #expect(!folder.exists("x/y"))
      try new.commit()
    }
    #expect(try folder.read("x/y/a") == "new")
    #expect(!folder.exists("x/y.partial"))
  }

  @Test func `a discarded folder leaves nothing`() throws {
    let folder = try TemporaryFolder()
    do { _ = try Self.written(folder["x/y"]) }
    #expect(try folder.names() == [])
  }

  @Test func `an empty folder is replaced, another one only if all its files may be replaced`() throws {
    let folder = try TemporaryFolder()
    for name in ["old/a", "old/b"] { try folder.write(name, "old") }
    #expect(throws: SystemError(ENOTEMPTY)) { try Self.written(folder["old"]).commit() }
    #expect(throws: SystemError(ENOTEMPTY)) { try Self.written(folder["old"]).commit(replacing: ["a"]) }
    #expect(try folder.read("old/a") == "old")
    try Self.written(folder["old"]).commit(replacing: ["a", "b", "c"])
    #expect(try folder.read("old/a") == "new")
    #expect(!folder.exists("old/b"))
    #expect(try folder.names() == ["old"])
    try folder.write("empty/a", "")
    try FileManager.default.removeItem(atPath: folder["empty/a"])
    try Self.written(folder["empty"]).commit()
    #expect(try folder.read("empty/a") == "new")
  }

  @Test func `a link stays, and its target is replaced`() throws {
    let folder = try TemporaryFolder()
    try folder.write("real/a", "old")
    try folder.link("link", to: "real")
    try Self.written(folder["link"]).commit(replacing: ["a"])
    #expect(try folder.read("real/a") == "new")
    #expect(try folder.read("link/a") == "new")
  }

  @Test func `files left by a killed process are removed or restored`() throws {
    let folder = try TemporaryFolder()
    try folder.write("x.partial/junk", "half")
    try folder.write("x.replaced/a", "old")
    do { _ = try Self.written(folder["x"]) }
    #expect(try folder.read("x/a") == "old")
    try folder.write("x.replaced/a", "older")
    try Self.written(folder["x"]).commit(replacing: ["a"])
    #expect(try folder.names() == ["x"])
    #expect(try folder.read("x/a") == "new")
  }

  @Test(arguments: ["", "/", ".", "..", "a/..", "a/."])
  func `a path without a name is rejected`(_ path: String) {
    #expect(throws: SystemError(EINVAL)) { try ReplacedFolder(path) }
  }

  @Test func `two owners cannot write one folder, and a file is not replaced`() throws {
    let folder = try TemporaryFolder()
    let first = try Self.written(folder["x"])
    #expect(throws: SystemError(EWOULDBLOCK)) { try ReplacedFolder(folder["x"]) }
    try folder.write("x", "a file")
    #expect(throws: SystemError(ENOTDIR)) { try first.commit(replacing: ["a"]) }
    first.discard()
    #expect(try folder.names() == ["x"])
  }
}
