// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

@Suite struct ConfigExportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `an export has the templates, and a host imports them again`() async throws {
    let version = ConfigVersion(
      number: 7, time: Timestamp(milliseconds: 0), kind: .update, author: "ci", description: "d")
    let text = #"{"parameters": {"p": {"defaultValue": {"value": "1"}}}}"#
    let configs = ConfigNamespace.allCases.map {
      StoredConfig(namespace: $0, version: version, text: text)
    }
    let copy = folder["copy"]
    try await HostExport.write(
      [], project: "demo", blobs: FolderBlobStore(folder: folder.path), configs: configs, to: copy)
    let page = String(
      decoding: try SmallFile.bytes(of: copy + "/remote-config.json", limit: 1 << 20), as: UTF8.self)
    #expect(page.hasPrefix("{\n  \"parameters\": {\n    \"p\": {\n"))
    #expect(try ConfigTemplateTests.read(page).json(nil) == text)
    let found = try HostImport(copy)
    #expect(found.models.isEmpty)
    #expect(
      found.configs == [
        .apps: copy + "/remote-config.json", .servers: copy + "/remote-config-server.json",
      ])
  }

  @Test func `a folder with neither models nor templates is rejected`() throws {
    let error = #expect(throws: HostError.self) { try HostImport(folder.path) }
    #expect(error?.message.hasSuffix("contains no model and no template") == true)
    #expect(
      error?.remedy.description
        == "Choose a folder with a .tflite file for each model, or with remote-config.json")
  }
}
#endif
