// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaHTTP
import FoveaInference
import Testing

@testable import FoveaServerCLI

@Suite struct QuantitiesTests {
  @Test(
    arguments: [
      ("1", 1), ("500000", 500_000), ("500B", 500), ("500kB", 500_000), ("2MB", 2_000_000),
      ("1GB", 1_000_000_000),
      ("1KiB", 1_024), ("3MiB", 3 << 20), ("4GiB", 4 << 30), ("2TB", 2_000_000_000_000),
      ("1TiB", 1 << 40), ("9223372036854775807TiB", nil), ("1tib", nil), ("1PiB", nil), ("", nil), ("0", nil),
      ("-1", nil),
      ("4gib", nil),
      ("4 GiB", nil), ("1.5GiB", nil), ("GiB", nil), ("9223372036854775807GiB", nil),
      ("99999999999999999999", nil),
      ("٤GiB", nil), ("+4", nil),
    ] as [(String, Int64?)])
  func `a number of bytes`(text: String, bytes: Int64?) {
    #expect(ByteCount(argument: text)?.bytes == bytes)
  }

  @Test(
    arguments: [
      ("25", 25), ("25s", 25), ("0.5", 0.5), ("2.5s", 2.5), ("500ms", 0.5), ("10m", 600), ("1h", 3_600),
      ("7d", 604_800),
      ("", nil),
      ("s", nil), ("ms", nil),
      ("0", nil), ("-1", nil), ("1 s", nil), ("nan", nil), ("inf", nil), ("1e3", nil),
      ("0x1", nil),
      ("99999999999", nil), ("1.2.3", nil),
    ] as [(String, Double?)])
  func `a duration`(text: String, seconds: Double?) { #expect(Seconds(argument: text)?.seconds == seconds) }

  @Test(
    arguments: ["--slots", "--max-connections", "--max-images", "--max-pixels"], ["abc", "1.5", "", "1 "])
  func `a text that is not a whole number is rejected with the range`(_ option: String, _ text: String) {
    #expect {
      try FoveaServerCommand.parseAsRoot(["serve", option, text])
    } throws: { error in
      let most = ["--slots": 256, "--max-connections": 1_000_000][option] ?? 1_000_000_000
      return FoveaServerCommand.message(for: error).contains("Give a whole number from 1 to \(most).")
    }
  }

  @Test(arguments: [("1GiB", nil), ("1048577KiB", "1073742848"), ("9GiB", "9663676416")])
  func `a frame above 1 GiB is rejected, not made smaller`(_ text: String, _ bytes: String?) throws {
    let arguments = ["serve", "--max-frame", text]
    guard let bytes else {
      let command = try #require(FoveaServerCommand.parseAsRoot(arguments) as? InferenceCommand)
      #expect(try command.options().maximumFrame == 1 << 30)
      return
    }
    let error = #expect(throws: (any Error).self) { try FoveaServerCommand.parseAsRoot(arguments) }
    let message = error.map { FoveaServerCommand.message(for: $0) } ?? ""
    #expect(message.contains("--max-frame must be at most 1GiB, got \(bytes) bytes."), "\(message)")
  }

  @Test(arguments: ["0", "abc", "1.5GB", "-1"])
  func `the error of a limit of events that is not a size has only sizes that are accepted`(
    _ text: String
  ) throws {
    let arguments = ["serve", "--events", "e", "--events-limit=\(text)"]
    let error = #expect(throws: (any Error).self) { try FoveaServerCommand.parseAsRoot(arguments) }
    let message = error.map { FoveaServerCommand.message(for: $0) } ?? ""
    #expect(message.contains("Give a number of bytes from 1MiB on, such as 500MB or 2GiB."), "\(message)")
    for size in ["1MiB", "500MB", "2GiB"] {
      let arguments = ["serve", "--events", "e", "--events-limit", size]
      #expect(throws: Never.self) { try FoveaServerCommand.parseAsRoot(arguments) }
    }
  }

  @Test(arguments: [("1", "1"), ("2", "2"), ("1MB", "1000000"), ("1048575", "1048575"), ("1MiB", nil)])
  func `a limit of events below 1 MiB is rejected, not rounded to files of no size`(
    _ text: String, _ bytes: String?
  ) throws {
    let arguments = ["serve", "--events", "e", "--events-limit", text]
    guard let bytes else {
      let command = try #require(FoveaServerCommand.parseAsRoot(arguments) as? InferenceCommand)
      #expect(try command.options().events?.limit == 1 << 20)
      return
    }
    let error = #expect(throws: (any Error).self) { try FoveaServerCommand.parseAsRoot(arguments) }
    let message = error.map { FoveaServerCommand.message(for: $0) } ?? ""
    #expect(message.contains("--events-limit must be at least 1MiB, got \(bytes) bytes."), "\(message)")
  }

  @Test(arguments: [
    ("127.0.0.1:8080", "127.0.0.1", 8_080), ("localhost:0", "localhost", 0), ("[::1]:65535", "::1", 65_535),
    ("0.0.0.0:80", "0.0.0.0", 80), ("[fe80::1%eth0]:80", "fe80::1%eth0", 80), ("a_b-c.d:1", "a_b-c.d", 1),
  ])
  func `an address to listen on`(text: String, host: String, port: Int) {
    let address = ListenAddress(text)
    #expect(address?.host == host)
    #expect(address?.port == port)
  }

  @Test(arguments: [
    "", ":", "8080", ":8080", "localhost", "localhost:", "localhost:65536", "localhost:-1", "localhost:+1",
    "::1:80",
    "[::g]:80", "[127.0.0.1]:80", "[%:]:80", "a%b:80", "a#b:80", "[::1%a/b]:80", "ä:80",
    "[::1]", "[]:80", "[a]:80", "a b:80", "http://a:80", "a@b:80", "localhost:8o",
  ])
  func `another address is rejected`(_ text: String) { #expect(ListenAddress(text) == nil) }

  @Test(arguments: [
    ("0", 0.0), ("0s", 0), ("0ms", 0), ("0.0", 0), ("00", 0), ("5s", 5), ("0d", 0), ("-1", nil), ("0w", nil),
    ("1.2.3", nil),
  ])
  func `a delay may be 0`(_ text: String, _ seconds: Double?) {
    #expect(Delay(argument: text)?.seconds == seconds)
  }
}
#endif
