// SPDX-License-Identifier: Apache-2.0
#if Server
  import Dispatch
  import FoveaErrors
  import FoveaHost
  import FoveaTesting
  import FoveaSystem
  import Synchronization
  import Testing

  /// A disk on which files cannot be opened for a while.
  @Suite(.timeLimit(.minutes(10))) struct HangingDiskTests {
    /// Lets all through once so many have come.
    private final class Gate: Sendable {
      private let count: Int
      private let arrived = Atomic(0)
      private let open = DispatchSemaphore(value: 0)

      init(count: Int) { self.count = count }

      /// Waits for the others.
      /// - Throws: `unavailable` after 20 seconds.
      func pass() throws(HostError) {
        if arrived.add(1, ordering: .sequentiallyConsistent).newValue == count {
          for _ in 0..<count { open.signal() }
        }
        guard open.wait(timeout: .now() + 20) == .success else {
          throw HostError(.unavailable, "The others have not come", remedy: "")
        }
      }
    }

    /// A store in which files are opened and begun behind a gate.
    private struct GatedStore: BlobStore {
      let store: any BlobStore
      let gate: Gate

      func open(_ sha256: String) throws(HostError) -> any Blob {
        try gate.pass()
        return try store.open(sha256)
      }
      func upload(resuming name: String?) throws(HostError) -> any BlobUpload {
        try gate.pass()
        return try store.upload(resuming: name)
      }
      func contains(_ sha256: String) -> Bool { store.contains(sha256) }
      func remove(_ sha256: String) throws(HostError) { try store.remove(sha256) }
      func all() throws(HostError) -> [BlobInfo] { try store.all() }
      func collect(keeping used: Set<String>, before time: Timestamp) throws(HostError) -> Int64 {
        try store.collect(keeping: used, before: time)
      }
      func isIntact(_ sha256: String) throws(HostError) -> Bool { try store.isIntact(sha256) }
    }

    @Test func `files that are being opened hold none of the threads that requests share`() async throws {
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
                let upload = try? await models.beginUpload()
                upload?.cancel()
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
