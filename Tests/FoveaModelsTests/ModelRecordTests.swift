// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaModels

/// The present and the previous form of `current.json`.
@Suite struct ModelRecordTests {
  private static let version = String(TestStore.sha256.prefix(16))

  @Test func `a catalogue model's record is read as first written`() throws {
    let test = try TestStore()
    try test.write(TestStore.bytes, to: TestStore.installedFiles[0])
    try test.write(
      Array(
        """
        {
          "bytes" : 200000,
          "file" : "model.tflite",
          "layout" : 1,
          "license" : "CC0-1.0",
          "previous" : "0123456789abcdef",
          "sha256" : "\(TestStore.sha256)",
          "source" : {
            "kind" : "catalogue",
            "url" : "https://a/b"
          },
          "version" : "\(Self.version)"
        }

        """.utf8), to: TestStore.installedFiles[1])
    let model = try test.store.verify(TestStore.name)
    #expect(model.license == "CC0-1.0" && model.url == "https://a/b")
    #expect(model.previousVersion == "0123456789abcdef" && model.version == Self.version)
    let record = try #require(try test.store.record(of: TestStore.name))
    #expect(try test.content(TestStore.installedFiles[1]) == record.json(), "it is written unchanged")
  }

  @Test func `a host model's record is read as first written`() throws {
    let test = TestModels()
    let sha256 = SHA256Text.of(TestModels.detector)
    try test.write(TestModels.detector, to: ".hosted/my_model/\(sha256.prefix(16))/model.tflite")
    try test.write(
      Array(
        """
        {
          "bytes" : \(TestModels.detector.count),
          "layout" : 1,
          "sha256" : "\(sha256)",
          "source" : "https://models.example/my_model.tflite",
          "validator" : {
            "etag" : "\\"v1\\""
          },
          "version" : "\(sha256.prefix(16))"
        }

        """.utf8), to: ".hosted/my_model/current.json")
    let store = test.hosted(nil).store
    let model = try store.verify(TestModels.name)
    #expect(model.url == "https://models.example/my_model.tflite" && model.license == nil)
    #expect(model.validator == HTTPValidator(etag: "\"v1\""))
    // Written again, it names the kind of source, and reads the same.
    var record = try #require(try store.record(of: TestModels.name))
    #expect(record.source == ModelRecord.Source(kind: "host", url: model.url))
    record.file = "model.tflite"
    try test.write(record.json(), to: ".hosted/my_model/current.json")
    #expect(try store.installedModel(named: TestModels.name) == model)
  }
}
