// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import FoveaTesting
import Synchronization
import Testing

@testable import FoveaHost

/// Files that the disk has lost, truncated or changed, published or only uploaded.
@Suite struct DamagedFileTests {
  private static let native = "/v1/host/projects/test-project/models"
  private static let plain = "/models/test-project/birds.tflite?key=\(RunningHost.appKey)"
  private static let download =
    "/v1beta2/projects/test-project/models/birds:download?key=\(RunningHost.appKey)"

  /// A change of a file, with the logged fault and whether it is noticed before the file is read whole.
  struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let fault: String
    let isSeenAtOnce: Bool
    let bytes: (@Sendable ([UInt8]) -> [UInt8])?
    /// A part of the error's message.
    var said = ""
    /// The replacement of a missing file.
    var successor: (@Sendable (_ path: String) -> Int32)?
  }

  static let damages: [Damage] = [
    Damage(testDescription: "truncated", fault: "size", isSeenAtOnce: true) { Array($0.dropLast()) },
    Damage(testDescription: "empty", fault: "size", isSeenAtOnce: true) { _ in [] },
    Damage(testDescription: "longer", fault: "size", isSeenAtOnce: true) { $0 + [0] },
    Damage(testDescription: "gone", fault: "missing", isSeenAtOnce: true, bytes: nil),
    Damage(
      testDescription: "a link", fault: "replaced", isSeenAtOnce: true, bytes: nil, said: "is a link on",
      successor: { path in unsafe symlink("/etc/hostname", path) }),
    Damage(
      testDescription: "a pipe", fault: "replaced", isSeenAtOnce: true, bytes: nil, said: "is a pipe, a",
      successor: { path in unsafe mkfifo(path, 0o600) }),
    Damage(testDescription: "one bit", fault: "content", isSeenAtOnce: false) { bytes in
      var bytes = bytes
      bytes[20] ^= 1
      return bytes
    },
    Damage(testDescription: "zeros", fault: "content", isSeenAtOnce: false) {
      Array(repeating: 0, count: $0.count)
    },
    Damage(
      testDescription: "a folder with a file", fault: "replaced", isSeenAtOnce: true, bytes: nil,
      said: "is a folder on",
      successor: { path in
        guard unsafe mkdir(path, 0o700) == 0 else { return -1 }
        let file = unsafe open(path + "/notes", O_WRONLY | O_CREAT, 0o600)
        return file < 0 ? -1 : close(file)
      }),
  ]

  /// The path of a blob.
  static func path(_ host: RunningHost, _ text: String) -> String {
    let name = AppKey.digest(of: text)
    return host.folder["blobs/sha256/\(name.prefix(2))/\(name.dropFirst(2))"]
  }

  private static func publish(_ host: RunningHost) throws -> String {
    let answer = try host.send(
      as: .publisher, "POST", "\(native)/birds/versions", body: markedModel("a model of some bytes"))
    guard answer.status == 200, let version = try host.models.model("birds").versions.last else {
      throw TestFailure("not published: \(answer.body)")
    }
    let name = version.sha256
    return host.folder["blobs/sha256/\(name.prefix(2))/\(name.dropFirst(2))"]
  }

  /// Damages a file on the disk.
  static func apply(_ damage: Damage, to path: String) throws {
    if let bytes = damage.bytes {
      try write(bytes(SmallFile.bytes(of: path, limit: 1 << 20)), to: path)
    } else {
      #expect(unsafe unlink(path) == 0)
      if let successor = damage.successor { #expect(successor(path) == 0) }
    }
  }

  private static func ready(_ host: RunningHost) throws -> [Int] {
    try ["/readyz", "/readyz?for=read", "/livez"].map { try host.send("GET", $0).status }
  }

  private static func expectDamaged(_ host: RunningHost, _ damage: Damage) throws {
    let file = try host.send("GET", plain)
    #expect(
      file.status == 500 && file.body.contains("\"INTERNAL\"") && file.body.contains("Publish it again")
        && (damage.said.isEmpty || file.body.contains(damage.said)),
      "\(file.body)")
    #expect(!file.body.contains(host.folder.path))
    let information = try host.send("GET", download)
    let address = try #require(
      information.body.firstRange(of: "/files/").map { information.body[$0.lowerBound...] })
    let signed = try host.send("GET", String(address.prefix { $0 != "\"" }))
    #expect(signed.status == 500, "\(signed.body)")
    #expect(try ready(host) == [503, 200, 200])
    #expect(host.metrics.text().contains("fovea_host_damaged_files 1"))
    #expect(host.log.text.contains("\"fault\": \"\(damage.fault)\""), "\(host.log.text)")
  }

  @Test(arguments: damages)
  func `a file that differs from the published one is served to no one`(damage: Damage) async throws {
    try await RunningHost.serving { host in
      let path = try await onOwnThread { try Self.publish(host) }
      try Self.apply(damage, to: path)
      if !damage.isSeenAtOnce { await Self.scrub(host).round() }
      try await onOwnThread {
        try Self.expectDamaged(host, damage)
        // Published again, it is intact.
        let repair = try host.send(
          as: .publisher, "POST", "\(Self.native)/birds/versions", body: markedModel("a model of some bytes"))
        #expect(repair.status == 200 && repair.body.hasSuffix(#""repaired": true}"# + "\n"), "\(repair.body)")
        let repeated = try host.send(
          as: .publisher, "POST", "\(Self.native)/birds/versions", body: markedModel("a model of some bytes"))
        #expect(!repeated.body.contains("repaired"), "\(repeated.body)")
        #expect(try host.send("GET", Self.plain).status == 200)
        #expect(try Self.ready(host) == [200, 200, 200])
      }
      #expect(host.metrics.text().contains("fovea_host_damaged_files 0"))
    }
  }

  /// Writes a file with other bytes in place of whatever has its name.
  private static func replace(_ path: String, with bytes: [UInt8]) throws {
    _ = unsafe unlink(path + "/notes")
    _ = unsafe rmdir(path)
    _ = unsafe unlink(path)
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    guard file >= 0 else { throw TestFailure("\(path) cannot be made") }
    close(file)
    try write(bytes, to: path)
  }

  @Test(arguments: damages, [true, false])
  func `a damaged file that is replaced by hand is served once its bytes have been read`(
    damage: Damage, isAsked: Bool
  ) async throws {
    try await RunningHost.serving(hasConsole: true) { host in
      let path = try await onOwnThread { try Self.publish(host) }
      let whole = try SmallFile.bytes(of: path, limit: 1 << 20)
      try Self.apply(damage, to: path)
      if !damage.isSeenAtOnce { await Self.scrub(host).round() }
      try await onOwnThread {
        try Self.expectDamaged(host, damage)
        let person = try Person(host)
        for wrong in [UInt8(1), 2] {
          try Self.replace(path, with: Array(repeating: wrong, count: whole.count))
          for _ in 0..<2 {
            if isAsked { #expect(try Self.ready(host) == [503, 200, 200]) }
            let file = try host.send("GET", Self.plain)
            #expect(file.status == 500, "\(file.body)")
            let page = try person.opens("/console/models/birds").body
            #expect(page.contains("The stable version 1 is damaged. The file "), "\(page)")
          }
        }
        try Self.replace(path, with: whole)
        if isAsked { #expect(try Self.ready(host) == [200, 200, 200]) }
        #expect(try host.send("GET", Self.plain).status == 200)
        #expect(try Self.ready(host) == [200, 200, 200])
        #expect(try !person.opens("/console/models/birds").body.contains("is damaged"))
        #expect(host.metrics.text().contains("fovea_host_damaged_files 0"))
      }
    }
  }

  @Test func `a repaired file is served again, and a withdrawn one is not damaged`()
    async throws
  {
    try await RunningHost.serving { host in
      let path = try await onOwnThread { try Self.publish(host) }
      let whole = try SmallFile.bytes(of: path, limit: 1 << 20)
      try Self.write(Array(repeating: 7, count: whole.count), to: path)
      await Self.scrub(host).round()
      #expect(try await onOwnThread { try Self.ready(host) } == [503, 200, 200])
      try Self.write(whole, to: path)
      await Self.scrub(host).round()
      #expect(try await onOwnThread { try Self.ready(host) } == [200, 200, 200])
      try Self.write([], to: path)
      try await onOwnThread {
        #expect(try host.send("GET", Self.plain).status == 500)
        let gone = try host.send(as: .publisher, "POST", "\(Self.native)/birds/versions/1:withdraw")
        #expect(gone.status == 200, "\(gone.body)")
        #expect(try Self.ready(host) == [200, 200, 200])
      }
    }
  }

  @Test func `a file that is uploaded again through Google's routes is served again`() async throws {
    try await RunningHost.serving { host in
      let path = try await onOwnThread { try Self.publish(host) }
      let whole = try SmallFile.bytes(of: path, limit: 1 << 20)
      try Self.write(Array(repeating: 0, count: whole.count), to: path)
      await Self.scrub(host).round()
      try await onOwnThread {
        #expect(try Self.ready(host) == [503, 200, 200])
        let other = try host.upload("other.tflite", markedModel("other bytes"))
        #expect(other.status == 200, "\(other.body)")
        #expect(try Self.ready(host) == [503, 200, 200])
        let upload = try host.upload("birds.tflite", markedModel("a model of some bytes"))
        #expect(upload.status == 200, "\(upload.body)")
        #expect(try host.send("GET", Self.plain).status == 200)
        #expect(try Self.ready(host) == [200, 200, 200])
      }
    }
  }

  private static func create(_ host: RunningHost, _ object: String) throws -> RunningHost.Answer {
    let address = "gs://\(RunningHost.bucket)/\(object)"
    return try host.send(
      as: .publisher, "POST", "/v1beta2/projects/test-project/models",
      body: #"{"displayName": "\#(object)", "tfliteModel": {"gcsTfliteUri": "\#(address)"}}"#)
  }

  private static func attach(_ host: RunningHost, _ object: String) throws -> RunningHost.Answer {
    let id = try host.models.model("birds").id
    return try host.send(
      as: .publisher, "PATCH", "/v1beta2/projects/test-project/models/\(id)?updateMask=tfliteModel",
      body: #"{"tfliteModel": {"gcsTfliteUri": "gs://\#(RunningHost.bucket)/\#(object)"}}"#)
  }

  @Test(arguments: damages)
  func `an upload that differs from the sent one becomes no version`(damage: Damage) async throws {
    try await RunningHost.run { host throws in
      _ = try Self.publish(host)
      let before = try host.send("GET", Self.plain).body
      let text = markedModel("other bytes of another model")
      #expect(try host.upload("other", text).status == 200)
      let name = AppKey.digest(of: text)
      try Self.apply(damage, to: Self.path(host, text))
      for _ in 0..<2 {
        let refused = try Self.attach(host, "other")
        #expect(refused.status == 500 && refused.body.contains("\"INTERNAL\""), "\(refused.body)")
        #expect(refused.body.contains("\(name.prefix(12))…") && refused.body.contains("Upload it again"))
      }
      let model = try host.models.model("birds")
      #expect(model.versions.count == 1 && model.channels == [HostModel.stable: 1])
      #expect(model.problem?.code == 13 && model.pendingOperations.isEmpty)
      #expect(try host.send("GET", Self.plain).body == before)
      // Devices get every version: the host stays ready.
      #expect(try Self.ready(host) == [200, 200, 200])
      #expect(host.metrics.text().contains("fovea_host_damaged_files 1"))
      let entries = host.log.text.ranges(of: "An uploaded file is damaged on disk")
      #expect(entries.count == 1 && host.log.text.contains("\"fault\": \"\(damage.fault)\""))
      // Uploaded again, it is intact.
      #expect(try host.upload("other", text).status == 200)
      #expect(host.metrics.text().contains("fovea_host_damaged_files 0"))
      let made = try Self.attach(host, "other")
      #expect(made.status == 200 && made.body.contains(name), "\(made.body)")
      #expect(try host.send("GET", Self.plain).body == text)
    }
  }

  @Test func `a model made of a damaged upload has no version until it is uploaded again`() async throws {
    let clock = TestClock()
    try await RunningHost.serving(now: clock.now) { host in
      let text = markedModel("a longer text")
      try await onOwnThread {
        #expect(try host.upload("birds", text).status == 200)
        try Self.write(Array(text.utf8) + [0], to: Self.path(host, text))
        #expect(try Self.create(host, "birds").status == 500)
        #expect(try host.models.model("birds").versions.isEmpty)
        #expect(host.metrics.text().contains("fovea_host_damaged_files 1"))
        #expect(try host.upload("birds", text).status == 200)
        #expect(try Self.attach(host, "birds").status == 200)
        #expect(try host.models.model("birds").versions.map(\.size) == [Int64(text.utf8.count)])
        // One that is collected does not count any more.
        let other = markedModel("text")
        #expect(try host.upload("other", other).status == 200)
        #expect(unsafe unlink(Self.path(host, other)) == 0)
        #expect(try Self.attach(host, "other").status == 500)
        #expect(host.metrics.text().contains("fovea_host_damaged_files 1"))
      }
      clock.advance(seconds: 90_000)
      await Housekeeping(
        experiments: host.service.experiments, metrics: host.metrics, logger: host.service.logger
      ).collect()
      #expect(host.metrics.text().contains("fovea_host_damaged_files 0"))
    }
  }

  @Test func `an upload that the disk cannot read becomes no version`() async throws {
    try await RunningHost.serving(blobs: { store in BrokenStore(store: store) { true } }) { host in
      try await onOwnThread {
        let refused = try host.send(
          as: .publisher, "POST", "\(Self.native)/birds/versions", body: markedModel("some bytes"))
        #expect(refused.status == 500 && refused.body.contains("cannot be read from the host's disk"))
        #expect(host.models.catalogue.counts.models == 0)
      }
    }
  }

  @Test func `a file that is published again while it is read is not damaged`() async throws {
    try await RunningHost.serving { host in
      let path = try await onOwnThread { try Self.publish(host) }
      let whole = try SmallFile.bytes(of: path, limit: 1 << 20)
      for isRepaired in [true, false] {
        try Self.write(Array(repeating: 0, count: whole.count), to: path)
        let models = ModelService(
          project: RunningHost.project, metadata: host.models.metadata,
          blobs: RepairedStore(store: host.models.blobs, whole: isRepaired ? whole : nil),
          catalogue: host.models.catalogue, checker: MarkCheck(), now: host.models.now)
        await Self.scrub(models, host.metrics).round()
        #expect(models.damaged.all.isEmpty == isRepaired)
      }
    }
  }

  @Test func `a file that the disk cannot read is damaged until it can be read`() async throws {
    try await RunningHost.serving { host in
      _ = try await onOwnThread { try Self.publish(host) }
      let version = try #require(host.models.model("birds").versions.last)
      let isBroken = Mutex(true)
      let models = ModelService(
        project: RunningHost.project, metadata: host.models.metadata,
        blobs: BrokenStore(store: host.models.blobs) { isBroken.withLock(\.self) },
        catalogue: host.models.catalogue, checker: MarkCheck(), now: host.models.now)
      for _ in 0..<2 {
        await Self.scrub(models, host.metrics).round()
        #expect(await models.damagedFiles() == [version.sha256: .unreadable])
      }
      let error = await #expect(throws: HostError.self) {
        _ = try await models.file(version.sha256, size: version.size)
      }
      let name = version.sha256.prefix(12)
      #expect(error?.message == "The file \(name)… cannot be read from the host's disk")
      isBroken.withLock { $0 = false }
      await Self.scrub(models, host.metrics).round()
      #expect(await models.damagedFiles().isEmpty)
    }
  }

  private static func scrub(_ host: RunningHost) -> Scrub { scrub(host.models, host.metrics) }

  private static func scrub(_ models: ModelService, _ metrics: Metrics) -> Scrub {
    Scrub(models: models, metrics: metrics, pace: .init(rest: .zero, pause: .zero, interval: .zero))
  }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    let file = unsafe open(path, O_WRONLY | O_TRUNC)
    guard file >= 0 else { throw TestFailure("\(path) cannot be written") }
    defer { close(file) }
    guard Descriptor.write(bytes, to: file).error == nil else { throw TestFailure("\(path) is full") }
  }
}

/// A store in which a file is written again as soon as it is opened for reading.
private struct RepairedStore: ForwardingBlobStore {
  let store: any BlobStore
  /// The bytes; nil if the file stays unchanged.
  let whole: [UInt8]?

  func localCopy(of sha256: String) async throws(HostError) -> any Blob {
    let blob = try await store.localCopy(of: sha256)
    guard let whole else { return blob }
    try await store.add(whole)
    return blob
  }
}

/// A store on a disk with a bad sector in each file.
private struct BrokenStore: ForwardingBlobStore {
  final class BrokenBlob: Blob {
    let whole: any Blob
    let isBroken: @Sendable () -> Bool
    var size: Int64 { whole.size }
    var descriptor: Int32? { nil }
    var path: String { whole.path }

    init(_ whole: any Blob, _ isBroken: @escaping @Sendable () -> Bool) {
      (self.whole, self.isBroken) = (whole, isBroken)
    }

    func read(at offset: Int64, into memory: UnsafeMutableRawBufferPointer) throws(HostError) -> Int {
      guard !isBroken() else { throw HostError(system: SystemError(EIO)) }
      return try unsafe whole.read(at: offset, into: memory)
    }
  }

  let store: any BlobStore
  let isBroken: @Sendable () -> Bool

  func localCopy(of sha256: String) async throws(HostError) -> any Blob {
    BrokenBlob(try await store.localCopy(of: sha256), isBroken)
  }
}
#endif
