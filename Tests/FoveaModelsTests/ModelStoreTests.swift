// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting
import Testing

@testable import FoveaModels

@Suite struct ModelStoreTests {
  /// A store with one installed model, without any network.
  private static func installed() throws -> TestStore {
    let test = try TestStore()
    try test.write(TestStore.bytes, to: TestStore.installedFiles[0])
    var record = ModelRecord(
      bytes: TestStore.bytes.count, sha256: TestStore.sha256,
      source: .init(kind: "catalogue", url: "https://a/b"))
    record.license = "CC0-1.0"
    try test.write(record.json(), to: TestStore.installedFiles[1])
    return test
  }

  @Test func `a store that does not exist is empty`() throws {
    let test = try TestStore()
    #expect(try test.store.installedNames() == [])
    #expect(try test.store.installedModel(named: TestStore.name) == nil)
    #expect(!FileSystem.exists(test.store.folder))
  }

  @Test func `an installed model is found by name`() throws {
    let test = try Self.installed()
    let model = try #require(try test.store.installedModel(named: TestStore.name))
    #expect(model.path == test.store.folder + "/" + TestStore.installedFiles[0])
    #expect(model.version == TestStore.version && model.previousVersion == nil)
    #expect(try test.store.path(for: TestStore.name) == model.path)
    #expect(try test.store.verify(TestStore.name) == model)
    #expect(try test.store.installedNames() == [TestStore.name])
  }

  @Test func `an alias of the catalogue means the same model, and its folder has the name`() throws {
    let test = try Self.installed()
    let model = try test.store.installedModel(named: TestStore.name)
    #expect(try test.store.installedModel(named: TestStore.alias) == model)
    #expect(try test.store.path(for: TestStore.alias) == model?.path)
    #expect(try test.store.verify(TestStore.alias) == model)
    try test.store.remove(TestStore.alias)
    #expect(try test.store.installedNames() == [])
  }

  @Test func `foreign files in the folder do no harm`() throws {
    let test = try Self.installed()
    try test.write([1], to: "a file")
    try test.write([1], to: "empty folder/x")
    try test.write([1], to: "..name/current.json")
    try test.write([1], to: ".partial/x")
    #expect(try test.store.installedNames() == [TestStore.name])
  }

  @Test func `paths stay paths`() throws {
    let test = try Self.installed()
    for argument in [
      "", "a/b", "./x", "/dev/null", "model.tflite", "MODEL.TFLITE", "..", "-", "a b", "Package.swift",
    ]
    where FileSystem.exists(argument) || !ModelName.isValid(argument)
      || argument.lowercased().hasSuffix("tflite")
    {
      #expect(try test.store.path(for: argument) == argument)
    }
  }

  @Test func `an existing file wins over a name`() throws {
    let test = try Self.installed()
    let folder = FileManager.default.currentDirectoryPath
    let path = folder + "/" + TestStore.name
    try Data([1]).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(try test.store.path(for: TestStore.name) == TestStore.name)
  }

  @Test func `a missing model explains how to get it`() throws {
    let test = try TestStore()
    for error in [
      #expect(throws: ModelStoreError.self) { try test.store.path(for: TestStore.name) },
      #expect(throws: ModelStoreError.self) { try test.store.verify(TestStore.name) },
      #expect(throws: ModelStoreError.self) { try test.store.remove(TestStore.name) },
    ] {
      #expect(
        error?.description == "The model 'test-model' is not installed. Download it (200.0 kB, CC0-1.0) with"
          + " ModelDownloader.download.")
      #expect(error?.code == .notInstalled)
    }
  }

  @Test func `an unknown name suggests the nearest`() throws {
    let test = try TestStore()
    let near = #expect(throws: ModelStoreError.self) { try test.store.path(for: "test-mdoel") }
    #expect(
      near?.description
        == "There is no file and no model named 'test-mdoel'. Did you mean test-model? "
        + "ModelCatalogue.entries shows all.")
    let far = #expect(throws: ModelStoreError.self) { try test.store.verify("something") }
    #expect(
      far?.description
        == "There is no model named 'something'. Check the name; ModelCatalogue.entries lists the models.")
    #expect(far?.code == .unknownModel)
  }

  struct DamageCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// With PATH for the path of the model.
    var message: String
    var isSeenWithoutReading: Bool
    var damage: @Sendable (TestStore) throws -> Void
  }

  @Test(arguments: [
    DamageCase(
      testDescription: "no file", message: "there is no file 'PATH'", isSeenWithoutReading: true
    ) { test in
      try FileManager.default.removeItem(atPath: test.store.folder + "/" + TestStore.installedFiles[0])
    },
    DamageCase(
      testDescription: "cut", message: "'PATH' has 5 bytes instead of 200000", isSeenWithoutReading: true
    ) { test in try test.write(Array(TestStore.bytes[..<5]), to: TestStore.installedFiles[0]) },
    DamageCase(
      testDescription: "one bit",
      message: "the SHA-256 of 'PATH' is \(SHA256Text.of(DownloadFailureTests.corrupted)) instead of"
        + " \(TestStore.sha256)", isSeenWithoutReading: false
    ) { test in try test.write(DownloadFailureTests.corrupted, to: TestStore.installedFiles[0]) },
  ])
  func `damage is found`(_ test: DamageCase) throws {
    let folder = try Self.installed()
    try test.damage(folder)
    let error = #expect(throws: ModelStoreError.self) { try folder.store.verify(TestStore.name) }
    #expect(error?.code == .damagedModel)
    #expect(
      error?.message.replacing(folder.store.folder + "/" + TestStore.installedFiles[0], with: "PATH")
        == "The model 'test-model' is damaged: \(test.message)")
    #expect(error?.remedy.description == "Download it again with ModelDownloader.download")
    #expect(((try? folder.store.installedModel(named: TestStore.name)) == nil) == test.isSeenWithoutReading)
    try folder.store.remove(TestStore.name)
    #expect(folder.files == [])
  }

  @Test(arguments: [
    "", "{", "{}", "[]", #"{"layout": 1}"#, "\u{FF}", "RECORD|61d5|../../../etc",
    #"RECORD|model.tflite|../passwd"#, #"RECORD|"layout" : 1|"layout" : 2"#,
    #"RECORD|"bytes" : 200000|"bytes" : -1"#,
  ])
  func `a record other than the written one is damage, not a path`(_ text: String) throws {
    let test = try Self.installed()
    var json = text
    if text.hasPrefix("RECORD|") {
      let parts = text.split(separator: "|").map(String.init)
      let sound = String(decoding: try test.content(TestStore.installedFiles[1]), as: UTF8.self)
      json = sound.replacing(parts[1] == "61d5" ? TestStore.version + "\"" : parts[1], with: parts[2])
      if parts[1] == "61d5" { json = sound.replacing("\"\(TestStore.version)\"", with: "\"../../etc\"") }
      #expect(json != sound)
    }
    try test.write(Array(json.utf8), to: TestStore.installedFiles[1])
    let error = #expect(throws: ModelStoreError.self) { try test.store.installedModel(named: TestStore.name) }
    #expect([.damagedModel, .storeUnreadable].contains(error?.code))
    #expect(try test.store.installedNames() == [TestStore.name])
  }

  @Test func `removing deletes everything, partial files too`() throws {
    let test = try Self.installed()
    try test.write([1, 2], to: TestStore.part)
    try test.write([1, 2], to: TestStore.tag)
    try test.store.remove(TestStore.name)
    #expect(test.files == [])
    try test.write([1, 2], to: TestStore.part)
    try test.store.remove(TestStore.name)
    #expect(test.files == [])
  }

  @Test(arguments: ["../x", "..", "", ".partial", "/tmp", "a/b"])
  func `removing stays in the folder`(_ name: String) throws {
    let test = try Self.installed()
    try test.write([1], to: TestStore.part)
    let before = test.files
    #expect(throws: ModelStoreError.self) { try test.store.remove(name) }
    #expect(test.files == before)
  }

  @Test func `links in a model's folder are removed, not followed`() throws {
    let test = try Self.installed()
    let other = try TestStore()
    try other.write([1], to: "kept/file")
    try FileManager.default.createSymbolicLink(
      atPath: test.store.folder + "/\(TestStore.name)/link", withDestinationPath: other.store.folder + "/kept"
    )
    try test.store.remove(TestStore.name)
    #expect(other.files == ["kept/file"])
  }

  @Test(arguments: [
    (["FOVEA_MODELS": "/m/", "XDG_DATA_HOME": "/x", "HOME": "/h"], "/m"),
    (["FOVEA_MODELS": "m"], "m"), (["XDG_DATA_HOME": "/x/", "HOME": "/h"], "/x/fovea/models"),
    (["XDG_DATA_HOME": "x", "HOME": "/h"], "/h/.local/share/fovea/models"),
    (["HOME": "/"], "/.local/share/fovea/models"),
  ])
  func `the folder belongs to the user`(variables: [String: String], folder: String) throws {
    #expect(try StoreLayout.userFolder { variables[$0] } == folder)
  }

  @Test func `a missing folder is an error`() {
    let error = #expect(throws: ModelStoreError.self) { try StoreLayout.userFolder { _ in nil } }
    #expect(error?.code == .storeUnreadable)
  }

  struct HeadCase: CustomTestStringConvertible, Sendable {
    var lines: [String]
    var check: @Sendable (HTTPHead) -> Bool
    var testDescription: String { lines.joined(separator: " | ") }
  }

  @Test(arguments: [
    HeadCase(lines: ["HTTP/1.1 302 Found\r\n", "ETag: \"a\"\r\n", "HTTP/2 200\r\n"]) {
      $0.status == 200 && $0.strongETag == nil
    },
    HeadCase(lines: ["HTTP/1.1 200 OK\r\n", "etag:\"x-1\"\r\n"]) { $0.strongETag == "\"x-1\"" },
    HeadCase(lines: ["ETag: W/\"x\"\r\n"]) { $0.strongETag == nil },
    HeadCase(lines: ["ETag: \"a b\"\r\n"]) { $0.strongETag == nil },
    HeadCase(lines: ["Content-Length: 12\r\n"]) { $0.contentLength == 12 },
    HeadCase(lines: ["Content-Length: -12\r\n"]) { $0.contentLength == nil },
    HeadCase(lines: ["Content-Length: 99999999999999999999\r\n"]) { $0.contentLength == nil },
    HeadCase(lines: ["Content-Range: bytes 5-9/10\r\n"]) {
      $0.contentRange?.first == 5 && $0.contentRange?.total == 10
    },
    HeadCase(lines: ["Content-Range: bytes 5-9/*\r\n"]) {
      $0.contentRange?.first == 5 && $0.contentRange?.total == nil
    },
    HeadCase(lines: ["Content-Range: bytes */10\r\n"]) {
      $0.contentRange?.first == nil && $0.contentRange?.total == 10
    },
    HeadCase(lines: ["Content-Range: bytes 9-5/10\r\n"]) { $0.contentRange == nil },
    HeadCase(lines: ["Content-Range: pages 1-2/3\r\n"]) { $0.contentRange == nil },
    HeadCase(lines: ["Content-Range: bytes -5-9/10\r\n"]) { $0.contentRange == nil },
    HeadCase(lines: ["HTTP/1.1\r\n", "nonsense\r\n", "\r\n", ":\r\n"]) { $0 == HTTPHead() },
  ])
  func `headers are parsed`(_ test: HeadCase) {
    var head = HTTPHead()
    for line in test.lines { head.take(line: line) }
    #expect(test.check(head))
  }
}
