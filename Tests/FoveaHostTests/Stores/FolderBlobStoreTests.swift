// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

@Suite struct FolderBlobStoreTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: BlobStoreSuite.cases)
  func `the folder store passes each check for blob stores`(row: BlobStoreSuite.Case) async throws {
    try await row.check(FolderBlobStore(folder: folder.path))
    #expect(try folder.names() == ["blobs", "uploads"])
  }

  @Test func `an upload continues after a restart, and its checksums are right`() async throws {
    let bytes = BlobStoreSuite.random(300_000)
    var name: String?
    for part in 0..<3 {
      let upload = try await FolderBlobStore(folder: folder.path).upload(resuming: name)
      #expect(upload.size == Int64(part * 100_000))
      try await upload.append(Array(bytes[part * 100_000..<(part + 1) * 100_000]))
      name = upload.name
      if part < 2 {
        try await upload.suspend()
      } else {
        #expect(try await upload.finish().sha256 == BlobStoreSuite.sha256(bytes))
      }
    }
    #expect(try Folder.names(in: folder["uploads"]) == [])
  }

  @Test func `bytes added by another process count`() async throws {
    let store = try FolderBlobStore(folder: folder.path)
    let upload = try await store.upload(resuming: nil)
    try await upload.append([1, 2])
    try await upload.suspend()
    try folder.write("uploads/" + upload.name, [1, 2, 3])
    #expect(
      try await store.upload(resuming: upload.name).finish().sha256 == BlobStoreSuite.sha256([1, 2, 3]))
  }

  @Test func `a blob's folder has the first two digits of its name, and only its owner can read it`()
    async throws
  {
    let blob = try await FolderBlobStore(folder: folder.path).add([7])
    let path = folder["blobs/sha256/\(blob.sha256.prefix(2))/\(blob.sha256.dropFirst(2))"]
    #expect(try SmallFile.bytes(of: path, limit: 10) == [7])
    #expect(FileStatus(FilePath(path))?.permissions == 0o600)
    #expect(FileStatus(FilePath(FilePath(path).parent))?.permissions == 0o700)
  }

  @Test func `a folder that has the name of a blob makes room for it, and keeps its content`() async throws {
    let store = try FolderBlobStore(folder: folder.path)
    let blob = try await store.add([7])
    let parent = "blobs/sha256/\(blob.sha256.prefix(2))"
    let path = folder["\(parent)/\(blob.sha256.dropFirst(2))"]
    #expect(unsafe unlink(path) == 0)
    #expect(unsafe mkdir(path, 0o700) == 0)
    try folder.write("\(parent)/\(blob.sha256.dropFirst(2))/notes", [1])
    // The blob is gone already.
    try await store.remove(blob.sha256)
    #expect(try await !store.contains(blob.sha256))
    #expect(try await store.add([7]).sha256 == blob.sha256)
    #expect(try await store.isIntact(blob.sha256))
    #expect(try await store.all().map(\.sha256) == [blob.sha256])
    let aside = try #require(Folder.names(in: folder[parent]).first { $0.utf8.count > 62 })
    #expect(try Folder.names(in: folder["\(parent)/\(aside)"]) == ["notes"])
  }

  @Test func `a changed blob is not intact`() async throws {
    let store = try FolderBlobStore(folder: folder.path)
    let blob = try await store.add([7, 8])
    try folder.write("blobs/sha256/\(blob.sha256.prefix(2))/\(blob.sha256.dropFirst(2))", [7, 9])
    #expect(try await !store.isIntact(blob.sha256))
  }

  @Test func `a folder that is a link leads to no blob, and nothing behind it is changed`() async throws {
    let store = try FolderBlobStore(folder: folder.path)
    let blob = try await store.add([7, 8])
    let (digits, rest) = (blob.sha256.prefix(2), blob.sha256.dropFirst(2))
    let path = folder["blobs/sha256/\(digits)"]
    #expect(unsafe rename(path, folder["elsewhere"]) == 0)
    #expect(unsafe symlink(folder["elsewhere"], path) == 0)
    #expect(try await !store.contains(blob.sha256))
    await #expect(throws: HostError.self) { try await store.localCopy(of: blob.sha256) }
    await #expect(throws: HostError.self) { try await store.isIntact(blob.sha256) }
    await #expect(throws: HostError.self) { try await store.add([7, 8]) }
    #expect(try await store.all() == [])
    #expect(try await store.collect(keeping: [], before: BlobStoreSuite.future) >= 0)
    try await store.remove(blob.sha256)
    #expect(folder.exists("elsewhere/\(rest)"))
    // As before, without the link.
    #expect(unsafe unlink(path) == 0)
    #expect(try await store.add([7, 8]).sha256 == blob.sha256)
    #expect(try await store.isIntact(blob.sha256))
  }

  @Test func `files with other names are left alone`() async throws {
    let store = try FolderBlobStore(folder: folder.path)
    try folder.write("blobs/sha256/ab/README", "x")
    try folder.write("blobs/sha256/notes", "x")
    try folder.write("uploads/lost+found", "x")
    #expect(try await store.all() == [])
    #expect(try await store.collect(keeping: [], before: BlobStoreSuite.future) == 0)
    #expect(folder.exists("blobs/sha256/ab/README") && folder.exists("uploads/lost+found"))
  }

  @Test func `a path that is not a folder is an error`() {
    #expect(throws: HostError.self) { try FolderBlobStore(folder: folder["no/such"]) }
    #expect(throws: HostError.self) { try FolderBlobStore(folder: "/dev/null") }
  }

  // The test's process must not have a limit, so another one has it.
  @Test func `a full disk leaves nothing incomplete, and existing files stay`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 5_000, rlim_max: 5_000)
      guard unsafe setrlimit(__rlimit_resource_t(1), &limit) == 0 else { exit(2) }
      let folder = try TemporaryFolder()
      let store = try FolderBlobStore(folder: folder.path)
      let upload = try await store.upload(resuming: nil)
      try await upload.append([UInt8](repeating: 1, count: 3_000))
      do throws(HostError) {
        try await upload.append([UInt8](repeating: 2, count: 3_000))
        exit(3)
      } catch {
        guard error.code == .diskFull else { exit(4) }
      }
      guard upload.size == 3_000 else { exit(5) }
      try await upload.append([UInt8](repeating: 3, count: 1_000))
      let blob = try await upload.finish()
      let expected = [UInt8](repeating: 1, count: 3_000) + [UInt8](repeating: 3, count: 1_000)
      guard blob.sha256 == BlobStoreSuite.sha256(expected), try await store.isIntact(blob.sha256) else {
        exit(6)
      }
    }
  }

  struct Sum: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    let sum: UInt32
  }

  // RFC 3720, appendix B.4, and the check value of the catalogue of CRCs.
  @Test(arguments: [
    Sum(testDescription: "nothing", bytes: [], sum: 0),
    Sum(testDescription: "123456789", bytes: Array("123456789".utf8), sum: 0xE306_9283),
    Sum(testDescription: "32 zeros", bytes: [UInt8](repeating: 0, count: 32), sum: 0x8A91_36AA),
    Sum(testDescription: "32 ones", bytes: [UInt8](repeating: 255, count: 32), sum: 0x62A8_AB43),
    Sum(testDescription: "rising", bytes: Array(0..<32), sum: 0x46DD_794E),
    Sum(testDescription: "falling", bytes: (0..<32).reversed(), sum: 0x113F_DB5C),
  ])
  func `Castagnoli's checksum is right for any chunks`(row: Sum) async throws {
    for cut in 0...row.bytes.count {
      let upload = try await FolderBlobStore(folder: folder.path).upload(resuming: nil)
      try await upload.append(Array(row.bytes[..<cut]))
      try await upload.append(Array(row.bytes[cut...]))
      #expect(try await upload.finish().crc32c == row.sum)
    }
  }
}
#endif
