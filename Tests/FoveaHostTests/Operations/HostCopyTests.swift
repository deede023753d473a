// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

@Suite struct HostCopyTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Creates the host `source` of a folder: three versions of a model, the first stable, and an object that
  /// has lost its bytes.
  static func make(in folder: String) async throws -> HostFolder {
    let settings = try HostSettings(project: "demo", url: "https://models.example")
    let setup = try await HostSetup.make(
      folder + "/source", settings: settings, app: AppKey("test-api-key"),
      now: { Timestamp(milliseconds: 1_000) })
    let host = try HostFolder(setup.folder)
    var model = HostSamples.model()
    for number in 1...3 {
      let blob = try await host.blobs.add([UInt8(number), 7])
      model.add(
        NewVersion(sha256: blob.sha256, size: 2, created: Timestamp(milliseconds: 1), author: "ci"))
    }
    try model.point("stable", at: 1)
    try await host.metadata.create(model, entry: HostSamples.entry())
    try await host.metadata.put(MetadataStoreSuite.object("lost", 99, created: 1))
    return host
  }

  static func copy(
    _ host: HostFolder, to path: String, metadata: PostgresAddress? = nil, in source: S3Client? = nil,
    bucket: S3Client? = nil, progress: (HostCopy.Progress) -> Void = { _ in }
  ) async throws(HostError) -> HostCopy.Written {
    try await HostCopy(of: host, in: source, to: path, metadata: metadata, bucket: bucket)
      .run(progress: progress)
  }

  /// Checks that a copy can be served, and has the data of the host.
  static func check(
    _ path: String, _ host: HostFolder, files: S3Client? = nil, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let copy = try HostFolder(path)
    defer { withExtendedLifetime(copy) {} }
    #expect(copy.settings == host.settings, sourceLocation: location)
    #expect(try await copy.metadata.models() == host.metadata.models(), sourceLocation: location)
    #expect(
      try await copy.metadata.audit(project: "demo", model: nil, limit: 9)
        == host.metadata.audit(project: "demo", model: nil, limit: 9), sourceLocation: location)
    #expect(
      try await copy.check(copy.presentStore(in: files), repair: false, now: { Timestamp(milliseconds: 1) })
        == [], sourceLocation: location)
    for name in ["ring.json", "admin.json"] {
      #expect(
        try SmallFile.bytes(of: copy.keys + "/" + name, limit: 1 << 20)
          == SmallFile.bytes(of: host.keys + "/" + name, limit: 1 << 20), sourceLocation: location)
      #expect(FileStatus(FilePath(copy.keys + "/" + name))?.permissions == 0o600, sourceLocation: location)
    }
    #expect(!CopyNote.isPresent(in: path), sourceLocation: location)
    #expect(try Folder.names(in: path + "/uploads") == [], sourceLocation: location)
  }

  private static let whole = {
    var written = HostCopy.Written()
    (written.models, written.versions, written.files, written.bytes) = (1, 3, 3, 6)
    return written
  }()

  @Test func `a copy in a folder has everything, and the host stays as it was`() async throws {
    let host = try await Self.make(in: folder.path)
    let before = try await host.blobs.all()
    var shown: [HostCopy.Progress] = []
    #expect(try await Self.copy(host, to: folder["a/copy"]) { shown.append($0) } == Self.whole)
    try await Self.check(folder["a/copy"], host)
    #expect(shown.map(\.files) == [1, 2, 3, 4] && shown.allSatisfy { $0.allFiles == 4 })
    #expect(shown.last.map { $0.bytes == $0.allBytes } == true)
    #expect(try await host.blobs.all() == before)
    // The copy has bytes of its own: damage to one place does not reach the other.
    let sha256 = try await host.metadata.models()[0].versions[0].sha256
    let name = "blobs/sha256/\(sha256.prefix(2))/\(sha256.dropFirst(2))"
    try folder.write("a/copy/\(name)", [0])
    #expect(try await host.blobs.isIntact(sha256))
  }

  @Test func `a host without models is copied`() async throws {
    let setup = try await HostSetup.make(
      folder["source"], settings: HostSettings(project: "demo", url: "http://h"), app: AppKey("test-api-key"),
      now: { Timestamp(milliseconds: 1_000) })
    let host = try HostFolder(setup.folder)
    #expect(try await Self.copy(host, to: folder["copy"]) == HostCopy.Written())
    try await Self.check(folder["copy"], host)
  }

  @Test(
    arguments: [([], "damaged"), ([7], "damaged"), ([7, 7, 7], "damaged"), (nil, "missing")]
      as [([UInt8]?, String)])
  func `a bad file leaves the copy incomplete, and is copied once it is restored`(
    bytes: [UInt8]?, state: String
  ) async throws {
    let host = try await Self.make(in: folder.path)
    let version = try await host.metadata.models()[0].versions[1]
    let place = try #require(host.blobs.place(of: version.sha256)?.path)
    unsafe unlink(place)
    if let bytes { try ReplacedFile.write(bytes, to: place) }
    let written = try await Self.copy(host, to: folder["copy"])
    #expect(
      written.faults == [FolderFault("model 'bird': the file of version 2 is \(state)", isOfFile: true)])
    let path = folder["copy"]
    let refused = #expect(throws: HostError.self) { try HostFolder(path) }
    #expect(refused?.message == "\(path) holds an interrupted copy of a host")
    try await host.blobs.add([2, 7])
    var rest = Self.whole
    rest.present = 2
    #expect(try await Self.copy(host, to: path) == rest)
    try await Self.check(path, host)
  }

  @Test func `a copy that was damaged between two attempts is written again`() async throws {
    let host = try await Self.make(in: folder.path)
    let versions = try await host.metadata.models()[0].versions
    try await host.blobs.remove(versions[0].sha256)
    _ = try await Self.copy(host, to: folder["copy"])
    let sha256 = versions[1].sha256
    try folder.write("copy/blobs/sha256/\(sha256.prefix(2))/\(sha256.dropFirst(2))", [2])
    try await host.blobs.add([1, 7])
    #expect(try await Self.copy(host, to: folder["copy"]).present == 1)
    try await Self.check(folder["copy"], host)
  }

  static let places = [
    "copy.folder", "copy.begin", "copy.file:1", "copy.file:3", "copy.files", "copy.rows", "copy.settings",
    "blob.write:2",
    "blob.rename:2", "blob.done:2",
  ]

  @Test(arguments: places)
  func `a copy that was killed is no host, and goes on`(place: String) async throws {
    do {
      let host = try await Self.make(in: folder.path)
      withExtendedLifetime(host) {}
    }
    await #expect(processExitsWith: .exitCode(137)) {
      [path = folder.path as String, plan = place as String] in
      unsafe setenv("FOVEA_FAIL_AT", plan, 1)
      _ = try await HostCopyTests.copy(HostFolder(path + "/source"), to: path + "/copy")
    }
    let path = folder["copy"]
    #expect(throws: HostError.self) { try HostFolder(path) }
    let host = try HostFolder(folder["source"])
    var written = try await Self.copy(host, to: path)
    #expect(written.present <= 3)
    written.present = 0
    #expect(written == Self.whole)
    try await Self.check(path, host)
  }

  @Test(arguments: ["blob.write:2", "blob.sync", "copy.file:2", "copy.rows"])
  func `a copy to a full disk is an error that names the copy, and goes on`(place: String) async throws {
    do {
      let host = try await Self.make(in: folder.path)
      withExtendedLifetime(host) {}
    }
    await #expect(processExitsWith: .success) {
      [path = folder.path as String, plan = "\(place)=\(ENOSPC)" as String] in
      unsafe setenv("FOVEA_FAIL_AT", plan, 1)
      do {
        _ = try await HostCopyTests.copy(HostFolder(path + "/source"), to: path + "/copy")
        exit(2)
      } catch let error as HostError {
        exit(error.code == .diskFull && error.subject == path + "/copy" ? 0 : 3)
      }
    }
    let host = try HostFolder(folder["source"])
    _ = try await Self.copy(host, to: folder["copy"])
    try await Self.check(folder["copy"], host)
  }

  @Test func `a cancelled copy states its progress, and goes on`() async throws {
    let host = try await Self.make(in: folder.path)
    let path = folder["copy"]
    let task = Task { () -> HostError? in
      do throws(HostError) {
        _ = try await Self.copy(host, to: path) { _ in
          // SAFETY: the task is not used after the call.
          unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        }
        return nil
      } catch {
        return error
      }
    }
    let error = await task.value
    #expect(error?.code == .cancelled && error?.message == "Cancelled: 1 of 4 files are copied")
    _ = try await Self.copy(host, to: path)
    try await Self.check(path, host)
  }

  @Test func `a folder with something else, and the copy of another host, are refused`() async throws {
    let host = try await Self.make(in: folder.path)
    try folder.write("full/x", "x")
    try folder.write("other/copy.json", #"{"source": "/elsewhere"}"#)
    try folder.write("damaged/copy.json", "{")
    _ = try await Self.copy(host, to: folder["host"])
    for (name, message) in [
      ("full", "is not an empty folder"), ("host", "is the folder of a host"),
      ("other", "holds an interrupted copy with other options: /elsewhere"),
      ("damaged", "The copy.json of "), ("source", "is within the folder of the host to copy"),
      ("source/in", "is within the folder of the host to copy"),
    ] {
      let path = folder[name]
      let error = await #expect(throws: HostError.self) { _ = try await Self.copy(host, to: path) }
      #expect(error?.code == .folder, "\(name)")
      #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
    #expect(try folder.read("full/x") == "x" && !folder.exists("source/in"))
    try await Self.check(folder["host"], host)
  }

  @Test func `two processes do not copy to one folder`() async throws {
    let host = try await Self.make(in: folder.path)
    try await host.blobs.remove(try await host.metadata.models()[0].versions[0].sha256)
    _ = try await Self.copy(host, to: folder["copy"])
    let lock = try FileLock.openFolder(folder["copy"])
    defer { Descriptor.close(lock) }
    let path = folder["copy"]
    let error = await #expect(throws: HostError.self) { _ = try await Self.copy(host, to: path) }
    #expect(error?.message == "Another process copies a host to this folder")
  }

  @Test func `a host whose secrets cannot be read is not copied`() async throws {
    let host = try await Self.make(in: folder.path)
    try #require(unsafe unlink(host.ring) == 0)
    let path = folder["copy"]
    await #expect(throws: HostError.self) { _ = try await Self.copy(host, to: path) }
    #expect(!folder.exists("copy"))
  }

  @Test(arguments: TestDatabase.present)
  func `a host moves to a database and back`(database: TestDatabase) async throws {
    let host = try await Self.make(in: folder.path)
    let address = try database.address()
    #expect(try await Self.copy(host, to: folder["there"], metadata: address) == Self.whole)
    #expect(folder.exists("there/host.sqlite") == (address == nil))
    try await Self.check(folder["there"], host)
    do {
      // Closed before the database is used again.
      let there = try HostFolder(folder["there"])
      defer { withExtendedLifetime(there) {} }
      #expect(try await Self.copy(there, to: folder["back"]) == Self.whole)
    }
    try await Self.check(folder["back"], host)
    guard let address else { return }
    // It has the data of another host now.
    let path = folder["again"]
    let error = await #expect(throws: HostError.self) {
      _ = try await Self.copy(host, to: path, metadata: address)
    }
    #expect(error?.message == "The database has the data of another host")
    #expect(!folder.exists("again/host.json") && !folder.exists("again/database.json"))
    #expect(try Folder.names(in: folder["again/blobs/sha256"]) == [], "no file is copied in vain")
  }
}
#endif
