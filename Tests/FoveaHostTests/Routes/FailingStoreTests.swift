// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

/// A database or disk that fails while the host runs: 503 or 507, nothing incomplete, and normal service
/// afterwards.
@Suite struct FailingStoreTests {
  private static let native = "/v1/host/projects/test-project/models"
  private static let download =
    "/v1beta2/projects/test-project/models/birds:download?key=\(RunningHost.appKey)"

  private static func publish(_ host: RunningHost, _ text: String) throws -> RunningHost.Answer {
    try host.send(as: .publisher, "POST", "\(native)/birds/versions", body: markedModel(text))
  }

  /// What must hold while the store fails: devices get the previous version, and the reply discloses nothing
  /// more.
  private static func expectRefused(
    _ host: RunningHost, _ answer: RunningHost.Answer, status: Int, versions: Int
  ) throws {
    #expect(answer.status == status, "\(answer.body)")
    #expect(answer.headers["retry-after"] != nil)
    #expect(!answer.body.contains(host.folder.path) && !answer.body.contains("SQL"), "\(answer.body)")
    #expect(host.models.catalogue.counts.versions == versions)
    let information = try host.send("GET", download)
    #expect(information.status == 200 && information.body.contains("\"version\": \"\(versions)\""))
    let file = try host.send("GET", "/models/test-project/birds.tflite?key=\(RunningHost.appKey)")
    #expect(file.status == 200)
  }

  private static func expectReady(_ host: RunningHost, _ status: Int) throws {
    let answer = try host.send("GET", "/readyz")
    #expect(answer.status == status, "\(answer.body)")
    #expect(status == 200 || answer.headers["retry-after"] != nil)
    #expect(try host.send("GET", "/livez").status == 200)
  }

  @Test func `a database locked by another program`() async throws {
    try await RunningHost.run { host throws in
      #expect(try Self.publish(host, "one").status == 200)
      let lock = try DatabaseLock(host.folder["host.sqlite"])
      try Self.expectRefused(host, Self.publish(host, "two"), status: 503, versions: 1)
      let channel = try host.send(
        as: .admin, "PUT", "\(Self.native)/birds/channels/beta", body: #"{"version": 1}"#)
      #expect(channel.status == 503 && channel.body.contains("locked the database"), "\(channel.body)")
      try Self.expectReady(host, 503)
      // Downloads continue, and balancers that only fetch may know it.
      for (use, status) in [("read", 200), ("write", 503), ("both", 400)] {
        #expect(try host.send("GET", "/readyz?for=\(use)").status == status)
      }
      try lock.release()
      try Self.expectReady(host, 200)
      #expect(try Self.publish(host, "two").body.contains("\"version\": 2"))
    }
  }

  @Test func `database pages damaged while the host runs`() async throws {
    let folder = try TemporaryFolder()
    let ring = KeyRing()
    try await RunningHost.run(in: folder, ring: ring) { host throws in
      #expect(try Self.publish(host, "one").status == 200)
    }
    // Pages in the log would be read from there.
    try DatabaseLock.emptyLog(folder["host.sqlite"])
    try await RunningHost.run(in: folder, ring: ring) { host throws in
      let whole = try SmallFile.bytes(of: folder["host.sqlite"], limit: 1 << 24)
      try Self.overwrite(
        folder["host.sqlite"], [UInt8](repeating: 0xFF, count: whole.count - 4096), at: 4096)
      let refused = try Self.publish(host, "two")
      try Self.expectRefused(host, refused, status: 503, versions: 1)
      #expect(refused.body.contains("database is damaged"), "\(refused.body)")
      try Self.expectReady(host, 503)
      try Self.overwrite(folder["host.sqlite"], whole, at: 0)
    }
    // Pages already read stay in memory: the host reports the fault until it is restarted.
    try await RunningHost.run(in: folder, ring: ring) { host throws in
      try Self.expectReady(host, 200)
      #expect(try Self.publish(host, "two").body.contains("\"version\": 2"))
    }
    #expect(try await MetadataStore(path: folder["host.sqlite"]).problems() == [])
  }

  /// In place, like a failing disk.
  private static func overwrite(_ path: String, _ bytes: [UInt8], at offset: Int) throws {
    let descriptor = unsafe open(path, O_WRONLY)
    defer { close(descriptor) }
    // SAFETY: the system reads at most that many bytes of the array.
    let written = unsafe bytes.withUnsafeBytes {
      unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset))
    }
    guard written == bytes.count else { throw TestFailure("not written: \(errno)") }
  }

  /// Commits of the tests' host: 12 for its keys, then one for the first publish.
  @Test(arguments: ["commit.before:14-15", "blob.sync:2-2", "blob.write:2-2", "blob.rename:2-2"])
  func `a file system mounted read-only for a while`(place: String) async {
    await #expect(processExitsWith: .success) { [plan = "\(place)=\(EROFS)" as String] in
      unsafe setenv("FOVEA_FAIL_AT", plan, 1)
      try await RunningHost.run { host throws in
        #expect(try Self.publish(host, "one").status == 200)
        let refused = try Self.publish(host, "two")
        try Self.expectRefused(host, refused, status: 503, versions: 1)
        #expect(refused.body.contains("Read-only file system"), "\(refused.body)")
        if plan.hasPrefix("commit") { try Self.expectReady(host, 503) }
        try Self.expectReady(host, 200)
        #expect(host.uploadsUnderWay == 0)
        #expect(try Self.publish(host, "two").body.contains("\"version\": 2"))
      }
    }
  }

  /// Commits as in the test of a read-only file system.
  @Test func `a host on a full disk is not ready for changes, and its answer has the free space`() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("FOVEA_FAIL_AT", "commit.before:14-15=\(ENOSPC)", 1)
      try await RunningHost.run { host throws in
        #expect(try Self.publish(host, "one").status == 200)
        try Self.expectRefused(host, Self.publish(host, "two"), status: 507, versions: 1)
        let answer = try host.send("GET", "/readyz")
        #expect(answer.status == 503 && answer.body.contains("\"code\": \"disk-full\""), "\(answer.body)")
        for part in [
          "There is no space left on the host's disk: ", " free, a change needs some 65,536, and an upload",
          "/readyz?for=read returns 200",
        ] {
          #expect(answer.body.contains(part), "\(answer.body)")
        }
        #expect(!answer.body.contains(host.folder.path))
        #expect(try host.send("GET", "/readyz?for=read").status == 200)
        try Self.expectReady(host, 200)
      }
    }
  }

  @Test func `a disk that is full for files, and then for the database`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      try await RunningHost.run { host throws in
        #expect(try Self.publish(host, "one").status == 200)
        let folder = host.folder
        let log = try #require(FileStatus(FilePath(folder["host.sqlite-wal"]))).size
        let limit = max(log, 100_000) + 50_000
        let old = try Self.limitFiles(to: limit)
        let large = String(repeating: "a", count: limit + 100_000)
        let refused = try Self.publish(host, large)
        try Self.expectRefused(host, refused, status: 507, versions: 1)
        #expect(refused.body.contains("larger than the limit on the size of files"), "\(refused.body)")
        #expect(host.uploadsUnderWay == 0)
        try Self.expectReady(host, 200)
        // Small changes, until the database's log stops growing.
        var answered = 0
        var answer = refused
        repeat {
          answer = try host.send(
            as: .admin, "PUT", "\(Self.native)/birds/channels/c\(answered)", body: #"{"version": 1}"#)
          if answer.status == 200 { answered += 1 }
        } while answer.status == 200 && answered < 1_000
        #expect(answered > 0)
        try Self.expectRefused(host, answer, status: answer.status == 507 ? 507 : 503, versions: 1)
        // The probe is smaller than a change: it fits a few more times.
        var probes = 0
        while try host.send("GET", "/readyz").status == 200, probes < 100 {
          probes += 1
          answer = try host.send(
            as: .admin, "PUT", "\(Self.native)/birds/channels/c\(answered)", body: #"{"version": 1}"#)
          if answer.status == 200 { answered += 1 }
        }
        try Self.expectReady(host, 503)
        _ = try Self.limitFiles(to: old)
        try Self.expectReady(host, 200)
        #expect(try host.models.model("birds").channels.count == answered + 1)
        #expect(try Self.publish(host, large).body.contains("\"version\": 2"))
      }
    }
  }

  /// Sets the size that a file may have.
  /// - Returns: The limit of before.
  private static func limitFiles(to size: Int) throws -> Int {
    let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { throw TestFailure("no limit: \(errno)") }
    let old = limit.rlim_cur
    limit.rlim_cur = size == Int.max ? limit.rlim_max : rlim_t(size)
    guard unsafe setrlimit(resource, &limit) == 0 else { throw TestFailure("no limit: \(errno)") }
    return old > rlim_t(Int.max) ? Int.max : Int(old)
  }
}
#endif
