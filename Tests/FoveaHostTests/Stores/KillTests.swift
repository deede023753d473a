// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

/// Publishes in another process, which ends at a named point as if killed.
///
/// The other process records confirmed publishes. Afterwards each of them exists and is correct, nothing is
/// incomplete, and the next publish works.
@Suite struct KillTests {
  static let places = [
    "blob.write", "blob.sync", "blob.rename", "blob.folder", "blob.done", "commit.before", "commit.after",
    "collect.blob", "upload.suspend",
  ]

  /// Publishes files until it is killed: each confirmed one is a line of `answered`.
  static func publish(in folder: String, from first: Int, count: Int = 6) async throws {
    let store = try MetadataStore(path: folder + "/host.sqlite")
    let blobs = try FolderBlobStore(folder: folder)
    if try await store.models().isEmpty {
      try await store.create(HostSamples.model(), entry: HostSamples.entry())
    }
    let log = unsafe open(folder + "/answered", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    for number in first..<first + count {
      let bytes = BlobStoreSuite.random(10_000, UInt64(number))
      var upload = try await blobs.upload(resuming: nil)
      try await upload.append(Array(bytes[..<4_000]))
      try await upload.suspend()
      upload = try await blobs.upload(resuming: upload.name)
      try await upload.append(Array(bytes[4_000...]))
      let blob = try await upload.finish()
      try await store.change(project: "demo", id: "1", entry: HostSamples.entry()) {
        model throws(HostError) in
        model.add(
          NewVersion(
            sha256: blob.sha256, size: blob.size, created: Timestamp(milliseconds: 1), author: "ci"))
        try model.publish()
      }
      _ = Descriptor.write(Array((blob.sha256 + "\n").utf8), to: log)
      try await blobs.add([UInt8(number)])
      try await blobs.collect(
        keeping: try await store.hashesInUse(objectsSince: BlobStoreSuite.future),
        before: BlobStoreSuite.future)
    }
  }

  @Test(arguments: places, [1, 2, 5])
  func `confirmed data survives a kill, and nothing is incomplete`(place: String, turn: Int)
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path
    await #expect(processExitsWith: .exitCode(137)) {
      [path = path as String, plan = "\(place):\(turn)" as String] in
      unsafe setenv("FOVEA_FAIL_AT", plan, 1)
      try await KillTests.publish(in: path, from: 1)
    }
    let answered =
      folder.exists("answered") ? try folder.read("answered").split(separator: "\n").map(String.init) : []
    let store = try MetadataStore(path: folder["host.sqlite"])
    let blobs = try FolderBlobStore(folder: path)
    #expect(try await store.problems() == [])
    let versions = try await store.models().first?.versions ?? []
    #expect(Set(answered).isSubset(of: versions.map(\.sha256)))
    #expect(versions.count <= answered.count + 1)
    for version in versions { #expect(try await blobs.isIntact(version.sha256)) }
    for blob in try await blobs.all() { #expect(try await blobs.isIntact(blob.sha256)) }
    store.close()
    try await Self.publish(in: path, from: 100, count: 2)
    #expect(
      try await MetadataStore(path: folder["host.sqlite"]).models()[0].versions.count == versions.count
        + 2)
  }

  @Test(arguments: ["blob.write", "blob.sync", "blob.rename", "commit.before"])
  func `a full disk at any step is an error, and existing data stays`(place: String) async throws {
    let folder = try TemporaryFolder()
    try await Self.publish(in: folder.path, from: 1)
    await #expect(processExitsWith: .success) {
      [path = folder.path as String, plan = "\(place):1=\(ENOSPC)" as String] in
      unsafe setenv("FOVEA_FAIL_AT", plan, 1)
      do {
        try await KillTests.publish(in: path, from: 50)
        exit(2)
      } catch let error as HostError {
        exit(error.code == .diskFull ? 0 : 3)
      }
    }
    let store = try MetadataStore(path: folder["host.sqlite"])
    #expect(try await store.models()[0].versions.count == 6)
    #expect(try await store.problems() == [])
  }
}
#endif
