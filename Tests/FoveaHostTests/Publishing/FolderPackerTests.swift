// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

@Suite struct FolderPackerTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A program that stands for `fovea`.
  private func packer(_ text: String) throws -> FolderPacker {
    let path = try folder.write("fovea", "#!/bin/sh\n" + text + "\n")
    guard unsafe chmod(path, 0o700) == 0 else { throw TestFailure("no program") }
    return FolderPacker(program: path)
  }

  @Test func `the file is there while it is used, and gone afterwards`() async throws {
    let packer = try packer(
      #"test "$1 $2 $3 $4" = "model add-metadata flowers --output" && printf packed > "$5""#)
    let file = try await packer.withFile(of: "flowers") { file throws(HostError) in
      #expect((try? SmallFile.bytes(of: file, limit: 100)) == Array("packed".utf8))
      return file
    }
    #expect(FileStatus(FilePath(file)) == nil && FileStatus(FilePath(FilePath(file).parent)) == nil)
    await #expect(throws: HostError.self) {
      try await packer.withFile(of: "flowers") { _ throws(HostError) in
        throw HostError(.unavailable, "no", remedy: "None")
      }
    }
  }

  @Test func `what is no model is refused in the program's words`() async throws {
    let packer = try packer("echo 'fovea: dict.txt is missing. Put it there.' >&2; exit 1")
    let error = await #expect(throws: HostError.self) {
      try await packer.withFile(of: "flowers") { _ throws(HostError) in }
    }
    #expect(error?.code == .invalid)
    #expect(
      error?.message
        == "The folder 'flowers' cannot be packed into one file: dict.txt is missing. Put it there")
  }

  // How the program goes on when the cancel comes; Ctrl-C at a terminal ends it, too.
  @Test(arguments: ["exec sleep 600", "kill -INT $$", #"printf packed > "$5""#])
  func `a packing that is cancelled ends, and leaves no file`(_ end: String) async throws {
    let mark = folder["mark"]
    let packer = try packer(
      #"printf part > "$5.partial"; printf %s "$5" > '\#(mark).new'; mv '\#(mark).new' '\#(mark)'; \#(end)"#
    )
    let error = await #expect(throws: HostError.self) {
      try await packer.withFile(of: "flowers", isCancelled: { FileStatus(FilePath(mark)) != nil }) {
        (_: String) throws(HostError) -> Void in
        Issue.record("a file is used that no one waits for")
      }
    }
    #expect(
      error
        == HostError(
          .cancelled, "Cancelled: nothing was published",
          remedy: "Publish the folder again if you still want it"))
    let file = try folder.read("mark")
    #expect(file.hasSuffix("/model.tflite") && FileStatus(FilePath(FilePath(file).parent)) == nil)
  }

  // The terminal's signal may end the program a moment before it reaches this process.
  @Test func `a packing that a signal ends is cancelled, before this process has heard of the signal`()
    async throws
  {
    let error = await #expect(throws: HostError.self) {
      try await packer("kill -INT $$").withFile(of: "flowers") { (_: String) throws(HostError) -> Void in
        Issue.record("a file is used that is not there")
      }
    }
    #expect(error?.code == .cancelled)
  }

  @Test func `a program that is missing is said`() async throws {
    let error = await #expect(throws: HostError.self) {
      try await FolderPacker(program: folder["none"]).withFile(of: "flowers") { _ throws(HostError) in }
    }
    #expect(error?.code == .unavailable && error?.message.contains("The program 'fovea'") == true)
  }
}
#endif
