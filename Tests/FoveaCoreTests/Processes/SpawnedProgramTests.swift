// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaTesting
import Testing

@Suite(.onOwnThread) struct SpawnedProgramTests {
  /// The open descriptors and the variables of a program.
  private static func state(
    of started: SpawnedProgram
  ) throws -> (descriptors: [String], variables: [String]) {
    let folder = "/proc/\(started.number)"
    let bytes = try SmallFile.bytes(of: folder + "/environ", limit: 1 << 20)
    return (
      try Folder.names(in: folder + "/fd").sorted(),
      bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    )
  }

  private static func end(_ started: SpawnedProgram) {
    kill(started.number, SIGKILL)
    var status: Int32 = 0
    unsafe waitpid(started.number, &status, 0)
    for file in [started.output, started.messages] where file >= 0 { close(file) }
  }

  @Test(.enabled(if: FileStatus(FilePath("/proc/self/fd")) != nil, "the system does not show descriptors"))
  func `a spawned program has only its three streams open`() throws {
    // None is marked close-on-exec: a library's file, a listening socket, or 400 connections.
    var open: [Int32] = []
    defer { open.forEach { close($0) } }
    for _ in 0..<400 { open.append(dup(STDIN_FILENO)) }
    open.append(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    #expect(open.allSatisfy { $0 > STDERR_FILENO && fcntl($0, F_GETFD) == 0 })
    let started = try SpawnedProgram("/bin/sh", ["-c", "kill -STOP $$"], environment: [])
    defer { Self.end(started) }
    // A shell that stops itself has started: before that, the loader has its own files open for a moment.
    let status = "/proc/\(started.number)/status"
    blockUntil {
      (try? SmallFile.bytes(of: status, limit: 1 << 16)).map { String(decoding: $0, as: UTF8.self) }?
        .contains("State:\tT") == true
    }
    #expect(try Self.state(of: started).descriptors == ["0", "1", "2"])
  }

  @Test(
    .enabled(if: FileStatus(FilePath("/proc/self/environ")) != nil, "the system does not show variables"),
    arguments: [true, false])
  func `a program that must end with its parent is passed its process id`(ends: Bool) throws {
    let started = try SpawnedProgram(
      "/bin/sleep", ["100"], environment: ["A=b"], joinsStreams: true, endsWithStarter: ends)
    defer { Self.end(started) }
    let expected = ["A=b"] + (ends ? ["FOVEA_PARENT=\(getpid())"] : [])
    // Until it has started, its variables are those of its parent.
    blockUntil { (try? Self.state(of: started).variables) == expected }
    #expect(try Self.state(of: started).variables == expected)
  }
}
