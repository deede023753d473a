// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

@Suite struct FolderPackerTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A replacement for `fovea`.
  private func packer(_ text: String) throws -> FolderPacker {
    let path = try folder.write("fovea", "#!/bin/sh\n" + text + "\n")
    guard unsafe chmod(path, 0o700) == 0 else { throw TestFailure("no program") }
    return FolderPacker(program: path)
  }

  @Test func `the file exists while it is used, and is deleted afterwards`() async throws {
    let packer = try packer(
      #"test "$1 $2 $3 $4 $5" = "model add-metadata --published flowers --output" && printf packed > "$6""#)
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

  @Test func `a folder that is not a model is rejected in the program's words`() async throws {
    let packer = try packer("echo 'fovea: dict.txt is missing. Put it there.' >&2; exit 1")
    let error = await #expect(throws: HostError.self) {
      try await packer.withFile(of: "flowers") { _ throws(HostError) in }
    }
    #expect(error?.code == .invalid)
    #expect(
      error?.message
        == "The folder 'flowers' cannot be packed into one file: dict.txt is missing. Put it there")
  }

  // The program's behaviour after the cancellation; Ctrl-C at a terminal ends it, too.
  @Test(arguments: ["exec sleep 600", "kill -INT $$", #"printf packed > "$6""#])
  func `a cancelled packing ends, and leaves no file`(_ end: String) async throws {
    let mark = folder["mark"]
    let packer = try packer(
      #"printf part > "$6.partial"; printf %s "$6" > '\#(mark).new'; mv '\#(mark).new' '\#(mark)'; \#(end)"#
    )
    let error = await #expect(throws: HostError.self) {
      try await packer.withFile(of: "flowers", isCancelled: { FileStatus(FilePath(mark)) != nil }) {
        (_: String) throws(HostError) -> Void in
        Issue.record("an abandoned file is used")
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

  // The terminal's signal may end the program just before it reaches this process.
  @Test func `a packing ended by a signal is cancelled, before this process receives the signal`()
    async throws
  {
    let error = await #expect(throws: HostError.self) {
      try await packer("kill -INT $$").withFile(of: "flowers") { (_: String) throws(HostError) -> Void in
        Issue.record("a missing file is used")
      }
    }
    #expect(error?.code == .cancelled)
  }

  @Test func `a missing program is reported`() async throws {
    let error = await #expect(throws: HostError.self) {
      try await FolderPacker(program: folder["none"]).withFile(of: "flowers") { _ throws(HostError) in }
    }
    #expect(error?.code == .unavailable && error?.message.contains("The program 'fovea'") == true)
  }
}
#endif
