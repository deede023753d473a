// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaModels

/// Versions that crash the process when they are loaded, or that are rolled back by hand.
@Suite(.timeLimit(.minutes(5))) struct FirstLaunchTests {
  private typealias Version = PublishingServer.Version
  private static let (first, second) = (Version(1, TestModels.detector), Version(2, TestModels.classifier))
  private static let third = Version(3, ModelServer.model("yolox"))
  private static let name = TestModels.name

  /// Starts the process, which may end during a load.
  private static func start(_ store: ModelStore) throws -> FirstLoad {
    try #require(try FirstLoad.begin(name, in: store, by: FirstLaunchProcess()))
  }

  /// A host and a device on which version 1 was loaded and version 2 was downloaded.
  private static func updated() async throws -> (PublishingServer, TestModels, ModelDownloader) {
    let host = try PublishingServer(first)
    let test = TestModels()
    let models = test.hosted(host.address)
    try await test.pull(models)
    try start(models.store).succeeded()
    host.with { $0.stable = second }
    try await test.pull(models)
    return (host, test, models)
  }

  private static func reports(_ host: PublishingServer) -> [String] {
    host.with { state in
      state.reports.map { report in
        report.filter { !"{}\" ".contains($0) }.split(separator: ",").sorted().joined(separator: " ")
      }
    }
  }

  @Test func `a version that crashes the process is rolled back at the third start, and stays so`()
    async throws
  {
    let (host, test, models) = try await Self.updated()
    #expect(try Self.start(models.store).model.sha256 == Self.second.sha256)
    #expect(try Self.start(models.store).model.sha256 == Self.second.sha256)
    let load = try Self.start(models.store)
    #expect(load.model.sha256 == Self.first.sha256)
    #expect(TestModels.bytes(load.model.path) == TestModels.detector)
    load.succeeded()
    #expect(try models.store.installedModel(named: Self.name)?.sha256 == Self.first.sha256)
    #expect(!test.files.contains { $0.contains(Self.second.sha256.prefix(16)) }, "it needs no space")
    // The host is notified, and is not asked for the file again.
    let requests = host.fileRequests.count
    #expect(try await test.pull(models).sha256 == Self.first.sha256)
    #expect(host.fileRequests.count == requests)
    #expect(
      Self.reports(host) == [
        "model:my_model outcome:loaded version:1", "model:my_model outcome:left version:2",
      ])
    #expect(
      host.server.requests.filter { $0.method == "POST" }.allSatisfy {
        $0.target == "/v1/host/projects/demo/reports?key=\(PublishingServer.key)"
      })
    try await test.pull(models)
    #expect(Self.reports(host).count == 2, "once")
    // A version published later is downloaded.
    host.with { $0.stable = Self.third }
    #expect(try await test.pull(models).sha256 == Self.third.sha256)
  }

  @Test func `a version that loaded once is never rolled back`() async throws {
    let (_, test, models) = try await Self.updated()
    defer { withExtendedLifetime(test) {} }
    _ = try Self.start(models.store)
    try Self.start(models.store).succeeded()
    for _ in 0..<5 { #expect(try Self.start(models.store).model.sha256 == Self.second.sha256) }
  }

  @Test func `a load that ends with an error counts, and is reported to the host`() async throws {
    let (host, test, models) = try await Self.updated()
    for _ in 0..<2 { try Self.start(models.store).failed() }
    #expect(try Self.start(models.store).model.sha256 == Self.first.sha256)
    try await test.pull(models)
    #expect(
      Self.reports(host) == [
        "model:my_model outcome:loaded version:1", "model:my_model outcome:failed version:2",
        "model:my_model outcome:left version:2",
      ])
  }

  @Test func `a first version has none to roll back to`() async throws {
    let host = try PublishingServer(Self.first)
    let test = TestModels()
    let models = test.hosted(host.address)
    try await test.pull(models)
    for _ in 0..<5 { #expect(try Self.start(models.store).model.sha256 == Self.first.sha256) }
  }

  @Test func `loads of one process are one start, and those of another live process are none`() async throws {
    let (_, test, models) = try await Self.updated()
    defer { withExtendedLifetime(test) {} }
    let process = FirstLaunchProcess()
    let loads = try (0..<5).map { _ in
      try #require(try FirstLoad.begin(Self.name, in: models.store, by: process))
    }
    #expect(FirstLaunchRecord.read(Self.name, models.store.layout).entry?.starts == 1)
    // They hold the lock: they are alive.
    for _ in 0..<5 {
      let other = FirstLaunchProcess()
      let load = try #require(try FirstLoad.begin(Self.name, in: models.store, by: other))
      #expect(load.model.sha256 == Self.second.sha256)
      load.failed()
    }
    #expect(FirstLaunchRecord.read(Self.name, models.store.layout).entry?.starts == 1)
    loads.forEach { $0.succeeded() }
    #expect(FirstLaunchRecord.read(Self.name, models.store.layout).loaded.contains(Self.second.sha256))
  }

  @Test func `load returns the path of the version that can be loaded`() async throws {
    let (_, test, models) = try await Self.updated()
    defer { withExtendedLifetime(test) {} }
    let hosted = HostedModels(models)
    let model = try #require(try hosted.model(named: Self.name))
    #expect(model.version == "2" && model.hasVersionBefore && model.sha256 == Self.second.sha256)
    #expect(try model.load { path throws(ModelStoreError) in path } == model.path)
    #expect(await model.load { path async in path } == model.path)
    #expect(FirstLaunchRecord.read(Self.name, models.store.layout).loaded.contains(Self.second.sha256))
  }

  @Test func `load rethrows errors`() async throws {
    let (_, test, models) = try await Self.updated()
    defer { withExtendedLifetime(test) {} }
    let model = try #require(try HostedModels(models).model(named: Self.name))
    #expect(throws: TestFailure.self) { try model.load { _ throws(TestFailure) in throw TestFailure("no") } }
    #expect(FirstLaunchRecord.read(Self.name, models.store.layout).entry?.starts == 1)
  }

  @Test func `a process killed by a load finds the previous version at its third start`() async throws {
    let (host, test, models) = try await Self.updated()
    for _ in 0..<2 {
      await #expect(processExitsWith: .signal(SIGKILL)) { [folder = test.folder as String] in
        let hosted = try HostedModels(folder: folder)
        _ = try hosted.model(named: "my_model")?.load { _ in kill(getpid(), SIGKILL) }
      }
    }
    let model = try #require(try HostedModels(folder: test.folder).model(named: Self.name))
    #expect(model.sha256 == Self.second.sha256)
    let path = try model.load { path throws(ModelStoreError) in path }
    #expect(TestModels.bytes(path) == TestModels.detector)
    #expect(try await test.pull(models).sha256 == Self.first.sha256)
    #expect(Self.reports(host).last == "model:my_model outcome:left version:2")
  }

  // MARK: By hand

  @Test func `a rollback lasts, and can be undone`() async throws {
    let (host, test, models) = try await Self.updated()
    let hosted = HostedModels(models)
    #expect(try hosted.rollBack(Self.name).version == "1")
    #expect(TestModels.bytes(try #require(try hosted.model(named: Self.name)).path) == TestModels.detector)
    try hosted.verify(Self.name)
    let requests = host.fileRequests.count
    #expect(try await hosted.update(Self.name).version == "1")
    #expect(host.fileRequests.count == requests)
    #expect(try hosted.rollBack(Self.name).version == "2")
    #expect(try await hosted.update(Self.name).version == "2")
    try hosted.rollBack(Self.name)
    host.with { $0.stable = Self.third }
    #expect(try await hosted.update(Self.name).version == "3")
    #expect(try hosted.rollBack(Self.name).version == "1")
    #expect(test.files.filter { $0.hasSuffix(".tflite") }.count == 2)
    try hosted.remove(Self.name)
    #expect(try hosted.list() == [] && test.files == [])
    #expect(try await hosted.update(Self.name).version == "3", "a removed model is forgotten")
  }

  @Test func `without a previous version there is no rollback`() async throws {
    let host = try PublishingServer(Self.first)
    let test = TestModels()
    let hosted = HostedModels(test.hosted(host.address))
    #expect(throws: ModelStoreError.self) { try hosted.rollBack(Self.name) }
    try await hosted.update(Self.name)
    let error = #expect(throws: ModelStoreError.self) { try hosted.rollBack(Self.name) }
    #expect(error?.code == .noPreviousVersion)
    #expect(
      error?.message == "The model 'my_model' has no previous version")
    #expect(throws: ModelStoreError.self) { try hosted.rollBack("../x") }
  }

  @Test func `a damaged previous version is not restored`() async throws {
    let (_, test, models) = try await Self.updated()
    let path = ".hosted/my_model/\(Self.first.sha256.prefix(16))/model.tflite"
    var bytes = TestModels.detector
    bytes[9] ^= 1
    try test.write(bytes, to: path)
    #expect(
      #expect(throws: ModelStoreError.self) { try HostedModels(models).rollBack(Self.name) }?.code
        == .damagedModel)
    #expect(try models.store.installedModel(named: Self.name)?.sha256 == Self.second.sha256)
    try test.write(TestModels.detector, to: path)
    #expect(try HostedModels(models).rollBack(Self.name).sha256 == Self.first.sha256)
  }

  @Test func `a host of files has rollbacks, too`() async throws {
    let server = try LoopbackServer { request, number in
      .file(number == 0 ? TestModels.detector : TestModels.classifier, for: request, tag: "v\(number)")
    }
    defer { server.stop() }
    let test = TestModels()
    let hosted = HostedModels(test.hosted(server.url))
    let first = try await hosted.update(Self.name)
    #expect(first.version == nil && !first.hasVersionBefore)
    let second = try await hosted.update(Self.name)
    #expect(try hosted.rollBack(Self.name).sha256 == first.sha256)
    #expect(try await hosted.update(Self.name).sha256 == first.sha256)
    #expect(try hosted.rollBack(Self.name).sha256 == second.sha256)
  }
}
