// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import FoveaCore
import FoveaHTTP
import FoveaTesting
import NIOSSL
import Testing

@Suite struct SelfSignedCertificateTests {
  private static let day: TimeInterval = 86_400
  private static let start = Date(timeIntervalSince1970: 1_800_000_000)
  private static let names = MachineNames(
    hostName: "desk", listening: "cameras.example", interfaces: ["192.0.2.7", "fd00::7"])

  private static func kept(
    _ folder: TemporaryFolder, _ names: MachineNames = names, days: Double = 0
  ) throws -> SelfSignedCertificate {
    try SelfSignedCertificate.kept(in: folder["state"], for: names, now: start + days * day)
  }

  @Test func `a certificate names the machine, is valid for 397 days and has its own key`() throws {
    let folder = try TemporaryFolder()
    let kept = try Self.kept(folder)
    let found = try #require(try NIOSSLCertificate.fromPEMFile(kept.certificate).first)
    var names: [String] = []
    var addresses: [[UInt8]] = []
    for name in found._subjectAlternativeNames() {
      let bytes = unsafe name.contents.withUnsafeBufferPointer { unsafe Array($0) }
      if name.nameType == .dnsName { names.append(String(decoding: bytes, as: UTF8.self)) }
      if name.nameType == .ipAddress { addresses.append(bytes) }
    }
    #expect(names == ["cameras.example", "desk", "desk.local", "localhost"])
    #expect(addresses == ["127.0.0.1", "::1", "192.0.2.7", "fd00::7"].map { InternetAddress($0)?.bytes })
    #expect(found.notValidBefore == 1_800_000_000 - 3_600)
    #expect(found.notValidAfter - found.notValidBefore == 397 * 86_400)
    let bytes = try found.toDERBytes()
    let sum = SHA256.hexadecimal(of: bytes.span)
    #expect(kept.fingerprint.replacing(":", with: "").lowercased() == sum)
    #expect(kept.fingerprint.split(separator: ":").allSatisfy { $0.count == 2 })
    #expect(FileStatus(FilePath(kept.privateKey))?.permissions == 0o600)
    let key = try NIOSSLPrivateKey(file: kept.privateKey, format: .pem)
    _ = try NIOSSLContext(
      configuration: .makeServerConfiguration(
        certificateChain: [.certificate(found)], privateKey: .privateKey(key)))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder["state/tls"]).count == 2)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var names = SelfSignedCertificateTests.names
    var days = 0.0
    /// The contents written to the two files before the second start; nil removes one.
    var files: [String: String?] = [:]
    var isKept = false
  }

  @Test(arguments: [
    Case(testDescription: "the same machine", isKept: true),
    Case(testDescription: "after 366 days", days: 366, isKept: true),
    Case(testDescription: "30 days before the end", days: 367),
    Case(testDescription: "after its end", days: 400),
    Case(testDescription: "the clock was set back", days: -1),
    Case(
      testDescription: "fewer names",
      names: MachineNames(hostName: "desk", listening: "0.0.0.0", interfaces: ["192.0.2.7"]), isKept: true),
    Case(
      testDescription: "another IPv6 address",
      names: MachineNames(hostName: "desk", listening: "0.0.0.0", interfaces: ["fd00::8"]), isKept: true),
    Case(
      testDescription: "another IPv4 address",
      names: MachineNames(hostName: "desk", listening: "0.0.0.0", interfaces: ["192.0.2.8"])),
    Case(
      testDescription: "another name",
      names: MachineNames(hostName: "tower", listening: "0.0.0.0", interfaces: [])),
    Case(testDescription: "no certificate", files: ["certificate.pem": nil]),
    Case(testDescription: "no key", files: ["key.pem": nil]),
    Case(testDescription: "an empty certificate", files: ["certificate.pem": ""]),
    Case(testDescription: "an empty key", files: ["key.pem": ""]),
    Case(testDescription: "another key", files: ["key.pem": TestCertificate.valid.privateKey]),
    Case(
      testDescription: "another certificate", files: ["certificate.pem": TestCertificate.valid.certificate]),
  ])
  func `a certificate is kept across starts while it fits`(_ test: Case) throws {
    let folder = try TemporaryFolder()
    let first = try Self.kept(folder)
    for (name, content) in test.files {
      if let content {
        try folder.write("state/tls/" + name, content)
      } else {
        try FileManager.default.removeItem(atPath: folder["state/tls/" + name])
      }
    }
    let second = try Self.kept(folder, test.names, days: test.days)
    #expect((second == first) == test.isKept)
    // Whatever existed before, the next start uses the present files.
    #expect(try Self.kept(folder, test.names, days: test.days) == second)
  }

  @Test func `a key that others could read is replaced by a private one`() throws {
    let folder = try TemporaryFolder()
    _ = try Self.kept(folder)
    let path = try folder.write("state/tls/key.pem", "")
    #expect(unsafe chmod(path, 0o644) == 0)
    #expect(FileStatus(FilePath(try Self.kept(folder).privateKey))?.permissions == 0o600)
  }

  @Test func `a folder that cannot be written is an error with a remedy`() throws {
    let folder = try TemporaryFolder()
    try folder.write("state", "a file")
    let path = folder["state/tls/certificate.pem"]
    #expect {
      try Self.kept(folder)
    } throws: { error in
      guard let error = error as? ServerError else { return false }
      return error.code == .state
        && error.message
          == "The self-signed certificate: '\(path)' cannot be read: Not a directory"
        && "\(error.remedy)"
          == "Set XDG_STATE_HOME to a folder that the server's user may write to, or StateDirectory= in the unit"
    }
  }

  @Test func `a stored certificate needs no writable folder`() throws {
    let folder = try TemporaryFolder()
    let first = try Self.kept(folder)
    // The lock only keeps others from creating a certificate.
    let lock = try FileLock.openFolder(folder["state/tls"])
    defer { Descriptor.close(lock) }
    #expect(try Self.kept(folder) == first)
  }

  @Test(
    arguments: [
      ([:], nil), (["HOME": "/h"], "/h/.local/state/fovea"),
      (["HOME": "/h", "XDG_STATE_HOME": "/s"], "/s/fovea"),
      (["HOME": "/h", "XDG_STATE_HOME": "s"], "/h/.local/state/fovea"),
      (["HOME": "/h", "STATE_DIRECTORY": "/var/lib/fovea-serve"], "/var/lib/fovea-serve"),
      (["STATE_DIRECTORY": "/var/lib/a:/var/lib/b"], "/var/lib/a"),
    ] as [([String: String], String?)])
  func `the state is in the service manager's folder, else in the user's`(
    _ variables: [String: String], _ folder: String?
  ) {
    #expect((try? StateFolder.path { variables[$0] }) == folder)
  }
}
#endif
