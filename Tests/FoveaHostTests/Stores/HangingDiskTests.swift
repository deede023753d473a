// SPDX-License-Identifier: Apache-2.0
#if Server
import Dispatch
import FoveaCore
import FoveaHost
import FoveaTesting
import Synchronization
import Testing

/// A disk on which files cannot be opened, or written to, for a while.
@Suite(.timeLimit(.minutes(10))) struct HangingDiskTests {
  /// Releases all callers once this many have arrived, and later ones at once.
  private final class Gate: Sendable {
    private let count: Int
    private let arrived = Atomic(0)
    private let open = DispatchSemaphore(value: 0)

    init(count: Int) { self.count = count }

    /// Waits for the others.
    /// - Throws: `unavailable` after 20 seconds.
    func pass() async throws(HostError) {
      try await BlockingWork.run { [self] _ throws(HostError) in try wait() }
    }

    private func wait() throws(HostError) {
      let number = arrived.add(1, ordering: .sequentiallyConsistent).newValue
      guard number <= count else { return }
      if number == count {
        for _ in 0..<count { open.signal() }
      }
      guard open.wait(timeout: .now() + 20) == .success else {
        throw HostError(.unavailable, "The others have not come", remedy: "")
      }
    }
  }

  /// A store whose files are opened and created behind a gate.
  private struct GatedStore: ForwardingBlobStore {
    let store: any BlobStore
    let gate: Gate

    func localCopy(of sha256: String) async throws(HostError) -> any Blob {
      try await gate.pass()
      return try await store.localCopy(of: sha256)
    }
    func upload(resuming name: String?) async throws(HostError) -> any BlobUpload {
      try await gate.pass()
      return try await store.upload(resuming: name)
    }
  }

  /// A store whose bytes are written behind a gate.
  private struct GatedWrites: ForwardingBlobStore {
    let store: any BlobStore
    let gate: Gate

    func upload(resuming name: String?) async throws(HostError) -> any BlobUpload {
      GatedUpload(upload: try await store.upload(resuming: name), gate: gate)
    }
  }

  private struct GatedUpload: BlobUpload {
    let upload: any BlobUpload
    let gate: Gate

    var name: String { upload.name }
    var size: Int64 { upload.size }
    var crc32c: UInt32 { upload.crc32c }
    var md5: [UInt8]? { upload.md5 }
    func append(_ bytes: [UInt8]) async throws(HostError) {
      try await gate.pass()
      try await upload.append(bytes)
    }
    func takeBack() async throws(HostError) { try await upload.takeBack() }
    func finish() async throws(HostError) -> FinishedBlob { try await upload.finish() }
    func suspend() async throws(HostError) { try await upload.suspend() }
    func cancel() async { await upload.cancel() }
  }

  private static let publish = "/v1/host/projects/test-project/models"
  private static let media = "/upload/storage/v1/b/test-project.appspot.com/o?uploadType=media&name=m"

  @Test(arguments: ["native", "media"])
  func `writing bytes holds none of the threads that requests share`(_ way: String)
    async throws
  {
    // One more than there are such threads: none would ever pass if they were held.
    let count = sysconf(Int32(_SC_NPROCESSORS_ONLN)) + 1
    try await RunningHost.serving(blobs: { GatedWrites(store: $0, gate: Gate(count: count)) }) { host in
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<count {
          group.addTask {
            try await onOwnThread {
              try host.send(
                as: .publisher, "POST",
                way == "media" ? "\(Self.media)\(number)" : "\(Self.publish)/bird\(number)/versions",
                body: markedModel("\(number)")
              ).status
            }
          }
        }
        var statuses: [Int] = []
        for try await status in group { statuses.append(status) }
        return statuses
      }
      #expect(statuses.count == count)
      // 429 for a key with its share of checks, on a machine with very many processors.
      #expect(statuses.allSatisfy { $0 == 200 || $0 == 429 && count > 64 }, "\(statuses)")
    }
  }

  @Test func `opening files holds none of the threads that requests share`() async throws {
    try await RunningHost.serving { host in
      let published = try await onOwnThread {
        try host.send(
          as: .publisher, "POST", "/v1/host/projects/test-project/models/birds/versions",
          body: markedModel("one"))
      }
      #expect(published.status == 200, "\(published.body)")
      let version = try host.models.model("birds").versions[0]
      // One more than there are such threads: none would ever pass if they were held.
      let count = sysconf(Int32(_SC_NPROCESSORS_ONLN)) + 1
      for isUpload in [false, true] {
        let models = ModelService(
          project: RunningHost.project, metadata: host.models.metadata,
          blobs: GatedStore(store: host.models.blobs, gate: Gate(count: count)),
          catalogue: host.models.catalogue, checker: MarkCheck(), now: host.models.now)
        let passed = await withTaskGroup(of: Bool.self) { group in
          for _ in 0..<count {
            group.addTask { () async -> Bool in
              guard isUpload else {
                return (try? await models.file(version.sha256, size: version.size)) != nil
              }
              let upload = try? await models.blobs.upload(resuming: nil)
              await upload?.cancel()
              return upload != nil
            }
          }
          return await group.reduce(0) { number, hasPassed in number + (hasPassed ? 1 : 0) }
        }
        #expect(passed == count)
      }
    }
  }
}
#endif
