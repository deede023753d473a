// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import FoveaRuntime

@Suite struct LibraryTests {
  private func locator(
    _ environment: [String: String] = [:], executable: String? = nil, folder: String? = nil,
    package: String? = nil, existing: Set<String> = []
  ) -> LibraryLocator {
    LibraryLocator(
      environment: { environment[$0] }, ownPath: nil, executablePath: executable, workingFolder: folder,
      packageFolder: package,
      exists: { existing.contains($0) })
  }

  @Test func `only the variable decides if it is set`() {
    let places = locator(["FOVEA_LITERT_LIBRARY": "/x/lib.so"], executable: "/bin/fovea").candidates()
    #expect(places == ["/x/lib.so", "/x/lib.so/libLiteRt.so"])
  }

  @Test func `next to the executable comes before the set-up folder, and the loader comes last`() {
    let existing: Set<String> = [
      "/repo/.build/release/libLiteRt.so", "/repo/.fovea/lib/libLiteRt.so",
      "/home/me/.local/share/fovea/lib/libLiteRt.so",
    ]
    let places = locator(
      ["HOME": "/home/me"], executable: "/repo/.build/release/fovea", folder: "/repo", existing: existing
    ).candidates()
    #expect(
      places == [
        "/repo/.build/release/libLiteRt.so", "/repo/.fovea/lib/libLiteRt.so",
        "/home/me/.local/share/fovea/lib/libLiteRt.so", "libLiteRt.so",
      ])
  }

  @Test func `an installed program finds the library in lib/fovea`() {
    let places = locator(
      executable: "/usr/local/bin/fovea", existing: ["/usr/local/lib/fovea/libLiteRt.so"]
    ).candidates()
    #expect(places == ["/usr/local/lib/fovea/libLiteRt.so", "libLiteRt.so"])
  }

  @Test func `a program under development finds the package's set-up`() {
    let places = locator(
      executable: "/app/.build/debug/App", folder: "/app", package: "/fovea",
      existing: ["/fovea/.fovea/lib/libLiteRt.so"]
    ).candidates()
    #expect(places == ["/fovea/.fovea/lib/libLiteRt.so", "libLiteRt.so"])
  }

  @Test func `without a known path only the loader remains`() {
    #expect(locator().candidates() == ["libLiteRt.so"])
  }

  @Test func `a missing library is an error that names the path, the command and the variable`() {
    let error = #expect(throws: RuntimeError.self) {
      try RuntimeLibrary(locator: locator(["FOVEA_LITERT_LIBRARY": "/no/such/lib.so"]))
    }
    #expect(error?.code == .libraryMissing)
    #expect(error?.message.contains("/no/such/lib.so") == true)
    #expect(error?.remedy.description.contains("make setup") == true)
    #expect(error?.remedy.description.contains("FOVEA_LITERT_LIBRARY") == true)
  }

  @Test func `a truncated library is an error, not a crash`() throws {
    let path = try RuntimeLibrary.shared().path
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    for count in [200, 4_096, whole.count / 2, whole.count - 1_000_000] {
      let cut = NSTemporaryDirectory() + "fovea-cut-\(count)-\(getpid()).so"
      try whole.prefix(count).write(to: URL(fileURLWithPath: cut))
      defer { try? FileManager.default.removeItem(atPath: cut) }
      let error = #expect(throws: RuntimeError.self) {
        try RuntimeLibrary(locator: locator(["FOVEA_LITERT_LIBRARY": cut]))
      }
      #expect(error?.code == .libraryMissing)
      #expect(error?.message.contains("\(cut): the file is shorter than its header declares") == true)
    }
  }

  @Test(arguments: [0, 8, 243]) func `a library for another processor is named as such`(_ machine: UInt8)
    throws
  {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: try RuntimeLibrary.shared().path))
    bytes[18] = machine
    bytes[19] = 0
    let other = NSTemporaryDirectory() + "fovea-processor-\(machine)-\(getpid()).so"
    try bytes.write(to: URL(fileURLWithPath: other))
    defer { try? FileManager.default.removeItem(atPath: other) }
    let error = #expect(throws: RuntimeError.self) {
      try RuntimeLibrary(locator: locator(["FOVEA_LITERT_LIBRARY": other]))
    }
    #expect(error?.message.contains("\(other): the file is for another processor") == true)
  }

  @Test func `a library next to the one that holds this code comes first`() {
    let existing: Set<String> = ["/wheel/libLiteRt.so", "/lib/fovea/libLiteRt.so", "/bin/libLiteRt.so"]
    var places = locator(executable: "/bin/python3", existing: existing)
    places.ownPath = "/wheel/libfovea.so.1"
    #expect(
      places.candidates() == [
        "/wheel/libLiteRt.so", "/bin/libLiteRt.so", "/lib/fovea/libLiteRt.so", "libLiteRt.so",
      ])
    places.ownPath = "/lib/libfovea.so.1"
    #expect(places.candidates().prefix(2) == ["/lib/fovea/libLiteRt.so", "/bin/libLiteRt.so"])
    places.chosen = "/chosen/lib.so"
    #expect(places.candidates() == ["/chosen/lib.so", "/chosen/lib.so/libLiteRt.so"])
  }

  @Test func `a different library is an error that names the missing function`() throws {
    let other = try #require(
      [
        "/lib/x86_64-linux-gnu/libz.so.1", "/lib/aarch64-linux-gnu/libz.so.1", "/usr/lib/libz.so.1",
        "/lib64/libz.so.1",
      ]
      .first { FileManager.default.fileExists(atPath: $0) })
    let error = #expect(throws: RuntimeError.self) {
      try RuntimeLibrary(locator: locator(["FOVEA_LITERT_LIBRARY": other]))
    }
    #expect(error?.code == .libraryUnusable)
    #expect(error?.message.contains("has no function 'LiteRtCreateEnvironment'") == true)
  }

  @Test func `nothing of LiteRT's log reaches standard error, and other lines do`() async throws {
    let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let model = try TestModels.classifier()
      try FileHandle.standardError.write(contentsOf: Data("before\n".utf8))
      let session = try Session(model: model)
      try session.run()
      try FileHandle.standardError.write(contentsOf: Data("after\n".utf8))
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(!text.contains("XNNPACK"))
    #expect(text.contains("before\n") && text.contains("after\n"))
  }
}
