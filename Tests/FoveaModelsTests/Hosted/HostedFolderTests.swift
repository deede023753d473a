// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaModels

@Suite struct HostedFolderTests {
  @Test(arguments: ["", "file://"])
  func `a folder is a host, and is copied if its bytes have changed`(_ scheme: String) async throws {
    let test = TestModels()
    let host = test.folder + "/host"
    try test.write(TestModels.detector, to: "host/my_model.tflite")
    let first = try await test.pull(test.hosted(scheme + host))
    #expect(TestModels.bytes(first.path) == TestModels.detector)
    let log = ProgressLog()
    #expect(try await test.hosted(scheme + host).download(TestModels.name) { log.add($0) } == first)
    #expect(log.all == [], "nothing to copy")
    // Of the same size and, as far as a clock shows, of the same time.
    var changed = TestModels.detector
    changed[40_000] ^= 1
    try test.write(changed, to: "host/my_model.tflite")
    let second = try await test.pull(test.hosted(scheme + host))
    #expect(TestModels.bytes(second.path) == changed && TestModels.bytes(first.path) == TestModels.detector)
    #expect(test.files == TestModels.files(of: [TestModels.detector, changed]))
  }

  @Test func `a path that is not a file, or not a model, is reported`() async throws {
    let test = TestModels()
    let host = test.folder + "/host"
    let path = host + "/my_model.tflite"
    let missing = await test.failure(test.hosted(host))
    #expect(missing?.message == "There is no file '\(path)'")
    #expect(missing?.remedy == "Put the model there, or correct \(term: .modelHost)")
    try test.write([], to: "host/my_model.tflite/a")
    #expect(await test.failure(test.hosted(host))?.code == .notFound)
    try FileManager.default.removeItem(atPath: path)
    try test.write(Array("no model at all".utf8), to: "host/my_model.tflite")
    let error = await test.failure(test.hosted(host))
    #expect(error?.code == .invalidModel && error?.message.contains(path) == true)
    var limited = test.hosted(host)
    limited.settings.options.sizeLimit = 14
    #expect(await test.failure(limited)?.message == "'\(path)' has 15 bytes instead of 14 at most")
    var full = test.hosted(host)
    full.settings.freeBytes = { _ in 14 }
    #expect(await test.failure(full)?.code == .diskFull)
    #expect(try full.store.installedModel(named: TestModels.name) == nil)
  }

  @Test func `a model is deleted with all its files`() async throws {
    let test = TestModels()
    try test.write(TestModels.detector, to: "host/my_model.tflite")
    let models = test.hosted(test.folder + "/host")
    try await test.pull(models)
    try test.write([1, 2], to: ".hosted/.partial/my_model.part")
    try models.store.remove(TestModels.name)
    #expect(test.files == [])
    #expect(try models.store.installedModel(named: TestModels.name) == nil)
    do throws(ModelStoreError) {
      try models.store.remove(TestModels.name)
      Issue.record("deleted twice")
    } catch {
      #expect(error.code == .notInstalled)
    }
  }

  /// A changed record of a model, and the resulting error.
  static let records: [(@Sendable (String) -> String, ModelStoreCode)] = [
    ({ _ in "" }, .damagedModel), ({ _ in "{}" }, .damagedModel),
    ({ $0.replacing(#""bytes" : "#, with: #""bytes" : 1"#) }, .damagedModel),
    ({ $0.replacing(#""layout" : 1"#, with: #""layout" : 2"#) }, .storeUnreadable),
    ({ $0 + String(repeating: " ", count: 1 << 16) }, .storeUnreadable),
  ]

  @Test(arguments: records.indices)
  func `a list leaves out only models that are damaged or unreadable`(_ row: Int) async throws {
    let (change, code) = Self.records[row]
    let test = TestModels()
    for name in ["a", "b", "c"] {
      try test.write(TestModels.detector, to: "host/\(name).tflite")
      try await test.pull(test.hosted(test.folder + "/host"), name)
    }
    let models = HostedModels(test.hosted(nil))
    #expect(try models.list().map(\.name) == ["a", "b", "c"])
    let record = ".hosted/b/current.json"
    let text = String(decoding: try #require(TestModels.bytes(test.folder + "/" + record)), as: UTF8.self)
    try test.write(Array(change(text).utf8), to: record)
    #expect(try models.list().map(\.name) == ["a", "c"])
    let error = #expect(throws: ModelStoreError.self) { try models.model(named: "b") }
    #expect(error?.code == code)
  }

  @Test func `a missing folder's list is empty, and that of an unreadable folder is an error`() throws {
    let test = TestModels()
    #expect(try HostedModels(test.hosted(nil)).list() == [])
    try test.write([1], to: ".hosted")
    let error = #expect(throws: ModelStoreError.self) { try HostedModels(test.hosted(nil)).list() }
    #expect(error?.code == .storeUnreadable)
  }

  @Test func `an unreadable folder of partial files does not keep a model from being deleted`() async {
    // In a separate process, which gives up root's right to read everything.
    await #expect(processExitsWith: .success) {
      let test = TestModels()
      try test.write(TestModels.detector, to: "host/my_model.tflite")
      let models = test.hosted(test.folder + "/host")
      let layout = models.store.layout
      try FileSystem.makeFolder(layout.partialFolder)
      try #require(unsafe chmod(layout.root, 0o777) == 0)
      try #require(unsafe chmod(layout.partialFolder, 0o333) == 0)
      let user = geteuid()
      if user == 0 { try #require(seteuid(65534) == 0) }
      defer {
        _ = seteuid(user)
        _ = unsafe chmod(layout.partialFolder, 0o700)
      }
      #expect(throws: ModelStoreError.self) { try PartialFileNames(name: "x", layout: layout).present() }
      let model = try await test.pull(models)
      #expect(TestModels.bytes(model.path) == TestModels.detector)
    }
  }

  @Test func `models of the catalogue and of a host are kept apart`() async throws {
    let test = TestModels()
    try test.write(TestModels.detector, to: "host/hosted.tflite")
    try await test.pull(test.hosted(test.folder + "/host"), "hosted")
    let store = ModelStore(folder: test.folder, catalogue: try TestStore.catalogue())
    #expect(try store.installedNames() == [])
    #expect(try store.installedModel(named: "hosted") == nil)
  }
}
