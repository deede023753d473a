// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting
import Testing

@testable import FoveaModels

@Suite struct HostedFolderTests {
  @Test(arguments: ["", "file://"])
  func `a folder is a host, and is copied where its bytes have changed`(_ scheme: String) async throws {
    let test = TestModels()
    let host = test.folder + "/host"
    try test.write(TestModels.detector, to: "host/my_model.tflite")
    let first = try await test.pull(test.hosted(scheme + host))
    #expect(TestModels.bytes(first.path) == TestModels.detector)
    let log = ProgressLog()
    #expect(try await test.hosted(scheme + host).download(TestModels.name) { log.add($0) } == first)
    #expect(log.all == [], "nothing to copy")
    // Of the same size and, for all that a clock tells, of the same moment.
    var changed = TestModels.detector
    changed[40_000] ^= 1
    try test.write(changed, to: "host/my_model.tflite")
    let second = try await test.pull(test.hosted(scheme + host))
    #expect(TestModels.bytes(second.path) == changed && TestModels.bytes(first.path) == TestModels.detector)
    #expect(test.files == TestModels.files(of: [TestModels.detector, changed]))
  }

  @Test func `what is not a file, or not a model, is reported with its path`() async throws {
    let test = TestModels()
    let host = test.folder + "/host"
    let path = host + "/my_model.tflite"
    #expect(await test.failure(test.hosted(host))?.message == "There is no file '\(path)'")
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

  @Test func `a model is deleted with all that is there of it`() async throws {
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

  @Test func `a list leaves out what is damaged, and reports what cannot be read`() async throws {
    let test = TestModels()
    try test.write(TestModels.detector, to: "host/my_model.tflite")
    try await test.pull(test.hosted(test.folder + "/host"))
    let models = HostedModels(test.hosted(nil))
    try test.write(Array("{}".utf8), to: ".hosted/other/current.json")
    #expect(try models.list().map(\.name) == [TestModels.name])
    let record = ".hosted/my_model/current.json"
    let text = String(decoding: TestModels.bytes(test.folder + "/" + record) ?? [], as: UTF8.self)
    try test.write(Array(text.replacing(#""layout" : 1"#, with: #""layout" : 2"#).utf8), to: record)
    let error = #expect(throws: ModelStoreError.self) { try models.list() }
    #expect(error?.code == .storeUnreadable)
  }

  @Test func `models of the catalogue and of a host do not meet`() async throws {
    let test = TestModels()
    try test.write(TestModels.detector, to: "host/hosted.tflite")
    try await test.pull(test.hosted(test.folder + "/host"), "hosted")
    let store = ModelStore(folder: test.folder, catalogue: try TestStore.catalogue())
    #expect(try store.installedNames() == [])
    #expect(try store.installedModel(named: "hosted") == nil)
  }
}
