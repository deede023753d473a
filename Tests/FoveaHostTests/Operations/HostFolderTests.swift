// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import GRDB
import Testing

@testable import FoveaHost

@Suite struct HostFolderTests {
  let folder: TemporaryFolder
  static let now: Now = { Timestamp(milliseconds: 1 << 50) }
  static var settings: HostSettings {
    get throws(HostError) { try HostSettings(project: "demo-project", url: "http://127.0.0.1:8080/") }
  }

  init() throws { folder = try TemporaryFolder() }

  /// Creates a folder without keys.
  private static func create(_ path: String) throws(HostError) {
    try HostFolder.create(path).close()
    try settings.write(path + "/host.json")
  }

  func make(_ name: String = "host") throws -> HostFolder {
    try Self.create(folder[name])
    let host = try HostFolder(folder[name])
    _ = try KeyRing.create(at: host.ring)
    return host
  }

  /// A host with three versions of one model, the first stable.
  func filled(_ name: String = "host") async throws -> HostFolder {
    let host = try make(name)
    var model = HostSamples.model()
    for number in 1...3 {
      let blob = try await host.blobs.add([UInt8(number), 7])
      model.add(
        NewVersion(
          sha256: blob.sha256, size: 2, created: Timestamp(milliseconds: 1), author: "ci",
          notes: "n\(number)"))
    }
    try model.point("stable", at: 1)
    try model.point("beta", at: 2)
    try await host.metadata.create(model, entry: HostSamples.entry())
    return host
  }

  @Test func `only its owner can access a new folder`() throws {
    let host = try make("a/b/host")
    #expect(host.settings.url == "http://127.0.0.1:8080")
    #expect(host.settings.bucket == "demo-project.appspot.com")
    for name in ["", "/keys", "/blobs", "/uploads"] {
      #expect(FileStatus(FilePath(host.path + name))?.permissions == 0o700)
    }
    for name in ["/host.json", "/host.sqlite"] {
      #expect(FileStatus(FilePath(host.path + name))?.permissions == 0o600)
    }
  }

  @Test func `a host is copied while another process has it open`() async throws {
    let host = try await filled()
    #expect(throws: HostError.self) { try HostFolder(host.path) }
    try await HostFolder(host.path, isShared: true).backUp(to: folder["copy"], now: Self.now)
    let models = try await host.metadata.models()
    let copy = try HostFolder(folder["copy"])
    defer { withExtendedLifetime(copy) {} }
    #expect(try await copy.metadata.models() == models)
    // The first one still holds its lock.
    #expect(throws: HostError.self) { try HostFolder(host.path) }
  }

  @Test(arguments: ["a link", "a pipe, a socket or a device", "a folder"])
  func `a host that serves is checked, and something else with the name of a file is named`(
    _ name: String
  ) async throws {
    let host = try await filled()
    let fault = "model 'bird': the file of version 3 is \(name)"
    do {
      let shared = try HostFolder(host.path, isShared: true)
      #expect(try await shared.check(repair: false, now: Self.now) == [])
      let sha256 = try await host.metadata.models()[0].versions[2].sha256
      let path = try #require(host.blobs.place(of: sha256)?.path)
      try #require(unsafe unlink(path) == 0)
      let made =
        switch name {
        case "a link": unsafe symlink("/etc/hostname", path)
        case "a folder": unsafe mkdir(path, 0o700)
        default: unsafe mkfifo(path, 0o600)
        }
      try #require(made == 0)
      #expect(try await shared.check(repair: false, now: Self.now) == [FolderFault(fault)])
    }
    #expect(
      try await host.check(repair: true, now: Self.now) == [FolderFault(fault, isRepaired: true)])
    #expect(try await host.check(repair: true, now: Self.now) == [])
  }

  @Test func `a folder that cannot be created is named with the reason`() {
    let path = folder["a/" + String(repeating: "n", count: 300)]
    let error = #expect(throws: HostError.self) { try Self.create(path) }
    #expect(error?.code == .unavailable)
    #expect(error?.message == "The folder \(path) cannot be created or opened: File name too long")
  }

  @Test func `an empty folder is accepted, a full one and a file are not`() throws {
    try folder.write("full/x", "x")
    try folder.write("hidden/.x", "x")
    try folder.write("file", "x")
    try #require(unsafe mkdir(folder["empty"], 0o755) == 0)
    try Self.create(folder["empty"])
    #expect(FileStatus(FilePath(folder["empty"]))?.permissions == 0o700)
    for name in ["full", "hidden", "file", "empty"] {
      let error = #expect(throws: HostError.self) {
        try Self.create(folder[name])
      }
      #expect(error?.code == .folder)
      #expect(error?.remedy.description == "Choose an empty or new folder")
    }
    #expect(try folder.read("full/x") == "x")
  }

  /// The files of a command that ends before it writes `host.json`, by the last of them.
  @Test(arguments: ["host.sqlite", "keys/ring.json", "keys/admin.json"])
  func `the folder of an interrupted command is no host, and is named`(last: String) async throws {
    let settings = try Self.settings
    let setup = try await HostSetup.make(
      folder["host"], settings: settings, app: AppKey("test-api-key"), now: Self.now)
    let files = ["host.sqlite", "keys/ring.json", "keys/admin.json", "host.json"]
    let kept = try #require(files.firstIndex(of: last))
    for file in files[(kept + 1)...] { try #require(unsafe unlink("\(setup.folder)/\(file)") == 0) }
    let words = "\(setup.folder) holds a host that an interrupted command did not complete"
    let opened = #expect(throws: HostError.self) { try HostFolder(setup.folder) }
    #expect(opened?.code == .folder && opened?.message == words)
    let again = await #expect(throws: HostError.self) {
      try await HostSetup.make(
        setup.folder, settings: settings, app: AppKey("test-api-key"), now: Self.now)
    }
    #expect(again?.code == .folder && again?.message == words)
    #expect(again?.remedy.description == "Remove the folder, or choose another one")
  }

  @Test func `one process at a time can open a host`() throws {
    do {
      let host = try make()
      let error = #expect(throws: HostError.self) { try HostFolder(host.path) }
      #expect(error?.message == "Another process has the folder of this host open")
      withExtendedLifetime(host) {}
    }
    _ = try HostFolder(folder["host"])
  }

  @Test func `a missing database is not created again`() throws {
    try Self.create(folder["host"])
    try #require(unsafe unlink(folder["host/host.sqlite"]) == 0)
    for ending in ["-wal", "-shm"] { unsafe unlink(folder["host/host.sqlite" + ending]) }
    let error = #expect(throws: HostError.self) { try HostFolder(folder["host"]) }
    #expect(error?.description == "The database is missing. Restore a backup.")
  }

  private static let damaged = "The host.json of the folder cannot be read:"

  @Test(arguments: [
    (#"{"layout": 2}"#, "The folder has layout 2; this program supports layout 1"),
    ("{", "\(Self.damaged) a key is expected, but the text ends at line 1, column 2, byte 1"),
    ("", "\(Self.damaged) a value is expected, but the text ends at line 1, column 1, byte 0"),
    (
      #"{"layout": 1, "project": "demo", "url": 3}"#,
      "\(Self.damaged) 'url': expected a string, got a number"
    ),
  ])
  func `another layout, or a damaged host.json, is rejected`(text: String, message: String) throws {
    try Self.create(folder["host"])
    try folder.write("host/host.json", text)
    let error = #expect(throws: HostError.self) { try HostFolder(folder["host"]) }
    #expect(error?.code == .folder && error?.message == message)
  }

  @Test func `a folder without a host explains how to create one`() throws {
    let error = #expect(throws: HostError.self) { try HostFolder(folder["none"]) }
    #expect(error?.message == "\(folder["none"]) is not the folder of a model host")
  }

  @Test func `an exported folder is not a host, and its error has the command for its models`() async throws {
    let host = try await filled()
    let export = folder["host-export"]
    _ = try await host.export(to: export)
    let error = #expect(throws: HostError.self) { try HostFolder(export) }
    #expect(error?.message == "\(export) holds models that were exported from a host, not a host")
    #expect(
      error?.remedy.text(\.program)
        == "Publish them on a host that serves: fovea host import \(export)")
    // AutoML's file of that name belongs to no export.
    try folder.write("automl/manifest.json", #"{"modelFile": "model.tflite"}"#)
    let other = #expect(throws: HostError.self) { try HostFolder(folder["automl"]) }
    #expect(other?.message == "\(folder["automl"]) is not the folder of a model host")
  }

  @Test(
    arguments: [
      ("", "http://a", nil), ("de mo", "http://a", nil), ("Demo-project", "http://a", nil),
      ("demo-project", "a", nil),
      ("demo-project", "http://", nil), ("demo-project", "http://a?key=1", nil),
      ("demo-project", "http://u:p@a", nil),
      ("demo-project", "http://a b", nil), ("demo-project", "http://a", "B"),
      ("demo-project", "http://a", "../b"),
    ] as [(String, String, String?)])
  func `settings that clients would reject are rejected`(project: String, url: String, bucket: String?) {
    #expect(throws: HostError.self) { try HostSettings(project: project, url: url, bucket: bucket) }
  }

  @Test func `a healthy host has no faults`() async throws {
    let host = try await filled()
    #expect(try await host.check(repair: true, now: Self.now) == [])
  }

  @Test func `missing, damaged and forgotten files are found and repaired`() async throws {
    let host = try await filled()
    let hashes = try await host.metadata.models()[0].versions.map(\.sha256)
    try await host.blobs.remove(hashes[0])
    try folder.write("host/blobs/sha256/\(hashes[1].prefix(2))/\(hashes[1].dropFirst(2))", "no")
    try await host.blobs.add([9, 9, 9])
    let problems = [
      "model 'bird': the file of version 1 is missing", "model 'bird': the file of version 2 is damaged",
      "1 file of 3 bytes is not used",
    ]
    #expect(try await host.check(repair: false, now: Self.now) == problems.map { FolderFault($0) })
    let remedy = "publish the file again, or point it at another version with 'fovea host channel'"
    let lost = ["beta", "stable"].map { channel in
      FolderFault("model 'bird': the channel '\(channel)' no longer points at a version: \(remedy)")
    }
    // Removed with its version, the damaged file is not counted again.
    #expect(
      try await host.check(repair: true, now: Self.now)
        == problems[..<2].map { FolderFault($0, isRepaired: true) } + lost
        + [FolderFault(problems[2], isRepaired: true)])
    #expect(try await host.check(repair: false, now: Self.now) == [])
    let model = try #require(try await host.metadata.models().first)
    #expect(model.channels == [:], "no channel points at a version without a file")
    #expect(model.versions.map(\.isWithdrawn) == [true, true, false])
    #expect(try await host.blobs.all().map(\.sha256) == [hashes[2]])
    #expect(
      try await host.metadata.audit(project: "demo", model: "bird", limit: 9).map(\.actor) == [
        "fsck", "fsck", "ci",
      ])
  }

  @Test func `a channel that falls back to an existing version is repaired`() async throws {
    let host = try await filled()
    let model = try #require(try await host.metadata.models().first)
    try await host.metadata.change(project: model.project, id: model.id, entry: HostSamples.entry()) {
      model throws(HostError) in
      try model.point("stable", at: 3)
    }
    try await host.blobs.remove(model.versions[2].sha256)
    #expect(
      try await host.check(repair: true, now: Self.now)
        == [
          FolderFault("model 'bird': the file of version 3 is missing", isRepaired: true),
          FolderFault(
            "model 'bird': the channel 'stable' was moved back from version 3 to version 1", isRepaired: true
          ),
        ])
    #expect(try await host.metadata.models()[0].channels == ["stable": 1, "beta": 2])
  }

  @Test func `a rollout that ends with its version is named by a repair and a backup`() async throws {
    let host = try await filled()
    let model = try #require(try await host.metadata.models().first)
    try await host.metadata.change(project: model.project, id: model.id, entry: HostSamples.entry()) {
      model throws(HostError) in
      try model.rollOut(3, microPercent: 10_000_000)
    }
    try await host.blobs.remove(model.versions[2].sha256)
    let missing = "model 'bird': the file of version 3 is missing"
    #expect(
      try await host.backUp(to: folder["copy"], now: Self.now)
        == [
          FolderFault(missing, isOfFile: true),
          FolderFault("model 'bird': in the copy, the rollout of version 3 has ended"),
        ])
    #expect(
      try await host.check(repair: true, now: Self.now)
        == [
          FolderFault(missing, isRepaired: true),
          FolderFault("model 'bird': the rollout of version 3 has ended", isRepaired: true),
        ])
    let left = try #require(try await host.metadata.models().first)
    #expect(left.rollout == nil && left.channels == model.channels)
  }

  @Test func `a version of an experiment stays, and does not prevent the repair of others`() async throws {
    let host = try await filled()
    let model = try #require(try await host.metadata.models().first)
    try await host.metadata.change(project: model.project, id: model.id, entry: HostSamples.entry()) {
      model throws(HostError) in
      model.experiment = ModelExperiment(id: "e", versions: [1, 2])
    }
    for version in model.versions { try await host.blobs.remove(version.sha256) }
    let faults = try await host.check(repair: true, now: Self.now)
    #expect(faults.map(\.isRepaired) == [false, false, true])
    #expect(
      faults.first?.text
        == "model 'bird': the file of version 1 is missing, and it is kept: Version 1 of the model 'bird' is a "
        + "variant of the experiment 'e', which has not ended. Start the host, stop the experiment, and repair again"
    )
    #expect(try await host.backUp(to: folder["copy"], now: Self.now).count == 2)
  }

  /// A host's file that is damaged, truncated or missing.
  static let damages: [(String?, String)] = [
    ("no", "damaged"), ("", "damaged"), (nil, "missing"),
  ]

  /// Damages the file of version 2.
  private func damage(_ host: HostFolder, _ bytes: String?) async throws {
    let sha256 = try await host.metadata.models()[0].versions[1].sha256
    let path = "host/blobs/sha256/\(sha256.prefix(2))/\(sha256.dropFirst(2))"
    unsafe unlink(folder[path])
    if let bytes { try folder.write(path, bytes) }
  }

  @Test(arguments: damages)
  func `a backup names a bad file, and has all others`(_ bytes: String?, _ state: String)
    async throws
  {
    let host = try await filled()
    try await damage(host, bytes)
    #expect(
      try await host.backUp(to: folder["copy"], now: Self.now)
        == [
          FolderFault("model 'bird': the file of version 2 is \(state)", isOfFile: true),
          FolderFault(
            "model 'bird': in the copy, the channel 'beta' no longer points at a version: publish the file again, "
              + "or point it at another version with 'fovea host channel'"),
        ])
    let copy = try HostFolder(folder["copy"])
    #expect(try await copy.metadata.models()[0].versions.map(\.isWithdrawn) == [false, true, false])
    #expect(try await copy.check(repair: false, now: Self.now) == [])
  }

  @Test(arguments: damages)
  func `an export names a bad file, and has all others`(_ bytes: String?, _ state: String)
    async throws
  {
    let host = try await filled()
    try await damage(host, bytes)
    let models = try await host.metadata.models()
    #expect(
      try await HostExport.write(models, project: "demo", blobs: host.blobs, to: folder["out"])
        == HostExport.Written(
          models: 1,
          faults: [
            FolderFault("model 'bird': the file of version 2 is \(state)", isOfFile: true),
            FolderFault("model 'bird': the copy has no version 2 for the channel 'beta'"),
          ]))
    #expect(FileStatus(FilePath(folder["out/bird/2.tflite"])) == nil)
    let read = try HostImport(folder["out"])
    try read.check()
    #expect(read.models[0].files.map(\.channels) == [["stable"], []])
    #expect(read.models[0].files.map(\.notes) == ["n1", "n3"])
  }

  @Test func `a model without its files, or without the stable one, is named by export and import`()
    async throws
  {
    let host = try await filled()
    let versions = try await host.metadata.models()[0].versions
    var fish = HostSamples.model("fish", id: "7")
    let blob = try await host.blobs.add([9, 7])
    fish.add(
      NewVersion(sha256: blob.sha256, size: 2, created: Timestamp(milliseconds: 1), author: "ci"))
    try fish.point("stable", at: 1)
    try await host.metadata.create(fish, entry: HostSamples.entry())
    // A model without a version has no fault.
    try await host.metadata.create(HostSamples.model("new", id: "8"), entry: HostSamples.entry())
    for sha256 in [versions[0].sha256, blob.sha256] { try await host.blobs.remove(sha256) }
    let models = try await host.metadata.models()
    #expect(
      try await HostExport.write(models, project: "demo", blobs: host.blobs, to: folder["out"])
        == HostExport.Written(
          models: 1,
          faults: [
            FolderFault("model 'bird': the file of version 1 is missing", isOfFile: true),
            FolderFault("model 'bird': the copy has no version 1 for the channel 'stable'"),
            FolderFault("model 'fish': the file of version 1 is missing", isOfFile: true),
            FolderFault("model 'fish': the copy does not contain its files"),
          ]))
    #expect(
      try HostImport(folder["out"]).gaps == [
        "model 'bird': the manifest has no version for the channel 'stable'; point it at one with "
          + "'fovea host channel bird stable VERSION'",
        "model 'fish': the manifest lists none of its files, so it is not imported",
        "model 'new': the manifest lists none of its files, so it is not imported",
      ])
  }

  @Test func `a channel moved back in a backup is named`() async throws {
    let host = try await filled()
    let model = try #require(try await host.metadata.models().first)
    try await host.metadata.change(project: model.project, id: model.id, entry: HostSamples.entry()) {
      model throws(HostError) in
      try model.point("stable", at: 3)
    }
    try await host.blobs.remove(model.versions[2].sha256)
    #expect(
      try await host.backUp(to: folder["copy"], now: Self.now)
        == [
          FolderFault("model 'bird': the file of version 3 is missing", isOfFile: true),
          FolderFault(
            "model 'bird': in the copy, the channel 'stable' was moved back from version 3 to version 1"),
        ])
  }

  @Test func `a damaged database is named by a check, by a backup and by the backup of that`() async throws {
    do {
      let host = try await filled()
      withExtendedLifetime(host) {}
    }
    let path = folder["host/host.sqlite"]
    let page = try await DatabaseQueue(path: path).read {
      try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'audit'")
    }
    let start = (try #require(page) - 1) * 4096
    var bytes = try SmallFile.bytes(of: path, limit: 1 << 24)
    var random = SeededGenerator(seed: 7)
    for index in start..<start + 4096 { bytes[index] = UInt8(random.below(256)) }
    for ending in ["", "-wal", "-shm"] { unsafe unlink(path + ending) }
    try folder.write("host/host.sqlite", bytes)
    let damage = [
      FolderFault(
        "the database is damaged: stop the host, and recreate its folder with 'fovea host restore' from a backup"
      )
    ]
    #expect(try await HostFolder(folder["host"]).check(repair: true, now: Self.now) == damage)
    #expect(
      try await HostFolder(folder["host"], isShared: true).backUp(to: folder["copy"], now: Self.now)
        == damage)
    #expect(
      try await HostFolder(folder["copy"], isShared: true).backUp(to: folder["again"], now: Self.now)
        == damage)
  }

  /// `keys/ring.json` after `change`, and the result of a check.
  struct RingCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let change: @Sendable (String) throws -> Void
    let said: String
  }

  @Test(arguments: [
    RingCase(
      testDescription: "missing", change: { _ = unsafe unlink($0) },
      said: "the secret keys, keys/ring.json, are missing: restore the file from a backup"),
    RingCase(
      testDescription: "empty", change: { _ = unsafe truncate($0, 0) },
      said: "the secret keys, keys/ring.json, cannot be read: restore the file from a backup"),
    RingCase(
      testDescription: "cut", change: { _ = unsafe truncate($0, 40) },
      said: "the secret keys, keys/ring.json, cannot be read: restore the file from a backup"),
    RingCase(
      testDescription: "none", change: { try SecretFile.write("{}", to: $0) },
      said: "the secret keys, keys/ring.json, cannot be read: restore the file from a backup"),
    RingCase(
      testDescription: "for others, too", change: { _ = unsafe chmod($0, 0o644) },
      said: "other users can read keys/ring.json: restrict it to its owner, chmod 600"),
  ])
  func `secret keys that no host starts with are a fault`(row: RingCase) async throws {
    let host = try await filled()
    try row.change(host.ring)
    #expect(try await host.check(repair: true, now: Self.now) == [FolderFault(row.said)])
  }

  @Test func `a recent file that nothing names yet stays`() async throws {
    let host = try await filled()
    try await host.blobs.add([9, 9, 9])
    let present: Now = { Timestamp(milliseconds: Int64(time(nil)) * 1_000) }
    #expect(try await host.check(repair: true, now: present) == [])
    #expect(try await host.blobs.all().count == 4)
  }

  @Test func `a backup is a host, and so is the backup of a backup`() async throws {
    let host = try await filled()
    try folder.write("host/keys/admin.json", "secret")
    let models = try await host.metadata.models()
    try await host.backUp(to: folder["copy"], now: Self.now)
    do {
      let copy = try HostFolder(folder["copy"])
      #expect(try await copy.metadata.models() == models)
      #expect(try await copy.check(repair: false, now: Self.now) == [])
      #expect(copy.settings == host.settings)
      #expect(FileStatus(FilePath(folder["copy/keys/admin.json"]))?.permissions == 0o600)
      try await copy.backUp(to: folder["again"], now: Self.now)
    }
    try await host.blobs.remove(models[0].versions[0].sha256)
    let again = try HostFolder(folder["again"])
    #expect(try await again.check(repair: false, now: Self.now) == [])
    #expect(try folder.read("again/keys/admin.json") == "secret")
    await #expect(
      code { () throws(HostError) in
        try await host.backUp(to: folder["copy"], now: Self.now)
      } == .folder)
  }

  @Test(arguments: ["host/copy", "host/a/b/", "link/copy", "host/blobs/../copy", "host"])
  func `a backup or an export into the folder of the host is rejected`(_ place: String) async throws {
    let host = try await filled()
    try folder.link("link", to: host.path)
    let refusal = HostError(
      .folder, "\(folder[place]) is within the folder of the host to copy",
      remedy: "Choose a folder outside of \(host.path)")
    await #expect(throws: refusal) { try await host.backUp(to: folder[place], now: Self.now) }
    await #expect(throws: refusal) { try await host.export(to: folder[place]) }
    #expect(
      FileStatus(FilePath(host.path + "/copy")) == nil && FileStatus(FilePath(host.path + "/a")) == nil)
    // A name with the host's as its prefix is another folder.
    try await host.backUp(to: folder["host-copy"], now: Self.now)
    #expect(try await host.export(to: folder["host-export"]).models > 0)
  }

  @Test func `a version whose file is missing is withdrawn in the backup`() async throws {
    let host = try await filled()
    try await host.blobs.remove(try await host.metadata.models()[0].versions[1].sha256)
    try await host.backUp(to: folder["copy"], now: Self.now)
    let copy = try HostFolder(folder["copy"])
    #expect(try await copy.metadata.models()[0].versions.map(\.isWithdrawn) == [false, true, false])
    #expect(try await copy.check(repair: false, now: Self.now) == [])
  }

  @Test func `an export can be imported, and served by any web server`() async throws {
    let host = try await filled()
    let models = try await host.metadata.models()
    try await HostExport.write(models, project: "demo", blobs: host.blobs, to: folder["out"])
    #expect(try SmallFile.bytes(of: folder["out/bird.tflite"], limit: 9) == [1, 7])
    let read = try HostImport(folder["out"]).models
    #expect(read.map(\.name) == ["bird"])
    #expect(read[0].files.map(\.channels) == [["stable"], ["beta"], []])
    #expect(read[0].files.map(\.notes) == ["n1", "n2", "n3"])
    #expect(read[0].files.map(\.sha256) == models[0].versions.map(\.sha256))
    for (number, file) in read[0].files.enumerated() {
      #expect(try SmallFile.bytes(of: file.path, limit: 9) == [UInt8(number + 1), 7])
    }
    await #expect(throws: HostError.self) {
      try await HostExport.write(models, project: "demo", blobs: host.blobs, to: folder["out"])
    }
  }

  /// `bird.tflite` has the bytes 1 and 7.
  @Test(
    arguments: [
      ("bird.tflite", "\u{1}", "it has 1 bytes"), ("bird.tflite", "\u{1}\u{7}\u{7}", "it has 3 bytes"),
      ("bird.tflite", "\u{9}\u{7}", "it has 2 bytes"), ("bird/2.tflite", "", "it has 0 bytes"),
      ("bird/3.tflite", nil, "cannot be read"),
    ] as [(String, String?, String)])
  func `a file that differs from its manifest is rejected by name before anything is published`(
    _ name: String, _ bytes: String?, _ said: String
  ) async throws {
    let host = try await filled()
    let models = try await host.metadata.models()
    try await HostExport.write(models, project: "demo", blobs: host.blobs, to: folder["out"])
    try HostImport(folder["out"]).check()
    let path = folder["out/" + name]
    unsafe unlink(path)
    if let bytes { try folder.write("out/" + name, bytes) }
    let error = #expect(throws: HostError.self) { try HostImport(folder["out"]).check() }
    #expect(error?.code == (bytes == nil ? HostCode.invalid : HostCode.corrupted))
    #expect(error?.message.hasPrefix("'\(path)'") == true, "\(error?.message ?? "")")
    #expect(error?.message.contains(said) == true, "\(error?.message ?? "")")
  }

  @Test func `Firebase's folder gives a model for each file`() throws {
    for name in ["b.tflite", "a_1.tflite", "README.md", ".hidden.tflite"] {
      try folder.write("h/" + name, "x")
    }
    let models = try HostImport(folder["h"]).models
    #expect(models.map(\.name) == ["a_1", "b"])
    #expect(
      models.allSatisfy {
        $0.files.count == 1 && $0.files[0].channels == ["stable"] && $0.files[0].sha256 == nil
      })
  }

  @Test(arguments: [
    #"{"modelFile": "model.tflite", "labelsFile": "dict.txt", "modelType": "IMAGE_LABELING"}"#,
    #"{"inferenceType": "QUANTIZED_UINT8", "inputShape": [1, 320, 320, 3]}"#,
  ])
  func `AutoML's manifest is not an export's, and its folder is a model with its labels`(
    _ manifest: String
  ) throws {
    for name in [
      "a.tflite", "manifest.json", "b/manifest.json", "b/model.tflite", "b/dict.txt", "notes/c.tflite",
    ] {
      try folder.write("h/" + name, name.hasSuffix(".json") ? manifest : "x")
    }
    let models = try HostImport(folder["h"]).models
    #expect(models.map(\.name) == ["a", "b"])
    #expect(models.map { $0.files.map(\.isFolder) } == [[false], [true]])
    #expect(models[1].files[0].path == folder["h/b"] && models[1].files[0].channels == ["stable"])
  }

  @Test(arguments: [
    #"{"modelFile": "m.tflite", "labelsFile": "l.txt", "modelType": "IMAGE_LABELING"} m.tflite l.txt"#,
    #"{"modelFile": "m.tflite"} m.tflite"#, "{} model.tflite", "{} other.tflite dict.txt",
    #"{"inferenceType": "QUANTIZED_UINT8"} model.tflite dict.txt"#, " model.tflite dict.txt",
  ])
  func `a folder made by AutoML is one model, not several`(_ row: String) throws {
    // The manifest's last word ends at its brace.
    let end = row.lastIndex(of: "}").map { row.index(after: $0) } ?? row.startIndex
    if end > row.startIndex { try folder.write("h/manifest.json", String(row[..<end])) }
    for name in row[end...].split(separator: " ") { try folder.write("h/\(name)", "x") }
    let error = #expect(throws: HostError.self) { try HostImport(folder["h"]) }
    #expect(error?.message == "The folder \(folder["h"]) is a single AutoML model, not a folder of models")
    #expect(error?.remedy.description == "Publish it: fovea host publish FOLDER --name NAME")
  }

  @Test(arguments: ["{}", "[]", "{", String(repeating: "[", count: 513), "{\"models\": [], \"project\": 1}"])
  func `a manifest of neither kind is rejected with a remedy`(_ manifest: String) throws {
    try folder.write("h/manifest.json", manifest)
    try folder.write("h/bird.tflite", "x")
    let error = #expect(throws: HostError.self) { try HostImport(folder["h"]) }
    #expect(error?.message == "The folder's manifest.json is damaged, or does not belong to an export")
    #expect(
      error?.remedy.description
        == "Export the models again, or remove the file to import each NAME.tflite as a model")
  }

  @Test(arguments: [
    "{", "[]", #"{"format": 2, "project": "p", "models": []}"#,
    #"{"format": 1, "project": "p", "models": []}"#,
    manifest(name: "../a"), manifest(file: "../a.tflite"), manifest(file: "/etc/passwd"),
    manifest(file: "b.tflite"),
    manifest(file: "a/2.tflite"), manifest(sha256: "0"), manifest(number: 0), manifest(name: "a:b"),
  ])
  func `a manifest that leads elsewhere is rejected`(text: String) throws {
    try folder.write("h/manifest.json", text)
    let error = #expect(throws: HostError.self) { try HostImport(folder["h"]) }
    #expect(error?.code == .invalid)
  }

  static func manifest(
    name: String = "a", file: String = "a.tflite", sha256: String = HostSamples.hash(1), number: Int = 1
  ) -> String {
    #"{"format": 1, "project": "p", "models": [{"name": "\#(name)", "tags": [], "channels": {}, "versions": [{"number": \#(number), "file": "\#(file)", "sha256": "\#(sha256)", "size": 1, "created": 1, "author": "", "notes": ""}]}]}"#
  }

  @Test(arguments: ["a b.tflite", "ä.tflite", "a@@b.tflite"])
  func `a file with an invalid name is rejected with the name`(name: String) throws {
    try folder.write("h/" + name, "x")
    let found = try HostImport(folder["h"])
    #expect(found.models.isEmpty && found.refused.count == 1)
    #expect(found.refused.first?.message.contains(name.dropLast(7)) == true)
  }
}
#endif
