// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaCLI

@Suite struct ServerProgramTests {
  @Test(arguments: [
    (["host"], true), (["host", "serve", "x"], true), (["help", "host", "init"], true),
    (["host", "--help"], true), (["serve"], true), (["help", "serve"], true),
    (["serve", "--listen", "x"], true),
    ([], false), (["help"], false), (["hosts"], false), (["detect", "host"], false),
    (["help", "help", "host"], false),
    (["--version", "host"], false), (["Host"], false),
  ])
  func `host and its help belong to the other program`(_ arguments: [String], _ isAsked: Bool) {
    #expect(ServerProgram.isAsked(arguments) == isAsked)
  }

  @Test func `the server is searched next to the program, then in libexec`() {
    #expect(
      ServerProgram.places(for: "/usr/local/bin/fovea") == [
        "/usr/local/bin/fovea-server", "/usr/local/bin/../libexec/fovea/fovea-server",
      ])
  }

  /// A second name of the program, in a folder without its neighbours.
  private final class LoneProgram {
    let folder: String
    var path: String { folder + "/bin/fovea" }

    init() throws {
      let built = try #require(BuiltProgram.path)
      // On the same file system, for a hard link.
      folder = FilePath(built).parent + "/host-program-\(getpid())"
      remove()
      try Folder.make(leadingTo: path)
      try #require(unsafe link(built, path) == 0)
    }

    /// Writes a program that prints its own name and arguments, one per line.
    func write(_ name: String, permissions: mode_t) throws {
      try Folder.make(leadingTo: folder + "/" + name)
      try ReplacedFile.write(Array("#!/bin/sh\nprintf '%s\\n' \"$0\" \"$@\"\n".utf8), to: folder + "/" + name)
      unsafe chmod(folder + "/" + name, permissions)
    }

    private func remove() {
      for name in ["bin/fovea", "bin/fovea-server", "libexec/fovea/fovea-server"] {
        unsafe unlink(folder + "/" + name)
      }
      for name in ["/libexec/fovea", "/libexec", "/bin", ""] { unsafe rmdir(folder + name) }
    }

    deinit { remove() }
  }

  // In sequence, since the folder has one name.
  @Test func `the server replaces the program, or how to build it is printed`() async throws {
    let program = try LoneProgram()
    for arguments in [["host"], ["host", "serve", "x"], ["help", "host"], ["host", "--help"]] {
      let outcome = try await ChildProcess(program.path, arguments).outcome()
      #expect(outcome.code == 1)
      #expect(outcome.output == "")
      #expect(
        outcome.messages
          == "fovea: The program 'fovea-server' is not next to 'fovea'. Build both with make build.\n")
    }
    let arguments = ["host", "publish", "a b", "", "--json", "--", "ü'\"", "--help"]
    for (place, name) in [
      ("libexec/fovea/fovea-server", "bin/../libexec/fovea/fovea-server"),
      ("bin/fovea-server", "bin/fovea-server"),
    ] {
      try program.write(place, permissions: 0o755)
      let outcome = try await ChildProcess(program.path, arguments).outcome()
      #expect(outcome.code == 0)
      #expect(outcome.output == ([program.folder + "/" + name] + arguments).joined(separator: "\n") + "\n")
    }
  }

  @Test func `a server that cannot be started is reported with the reason`() {
    var tried: [String] = []
    let code = ServerProgram.replaceThisOne("/a/fovea") { path in
      tried.append(path)
      return tried.count == 1 ? EACCES : ENOENT
    }
    #expect(code.rawValue == 1)
    #expect(tried == ServerProgram.places(for: "/a/fovea"))
  }
}
