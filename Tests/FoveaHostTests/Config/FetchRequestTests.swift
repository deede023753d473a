// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import FoveaHost
import FoveaTesting
import Testing

@Suite struct FetchRequestTests {
  static let android =
    #"{"appInstanceId": "fid", "appInstanceIdToken": "t", "appId": "1:1:android:ab", "countryCode": "US", "#
    + #""languageCode": "en-US", "timeZone": "Europe/Berlin", "appVersion": "1.2", "packageName": "p", "#
    + #""firstOpenTime": "2025-01-02T03:04:05.678Z", "analyticsUserProperties": {"level": "3"}, "#
    + #""customSignals": {"plan": "gold", "age": 7, "is": true, "none": null}}"#
  static let apple =
    "{app_instance_id:'fid', app_instance_id_token:'t', app_id:'1:1:ios:ab', country_code:'DE', "
    + "language_code:'de-DE', app_version:'1.0', app_build:'1', package_name:'a.b', "
    + "analytics_user_properties:{\"level\":\"3\"}, custom_signals:{\"plan\":\"gold\"}}"

  private static func read(_ text: String, gzip: Bool = false) throws(HostError) -> ConfigUnit {
    let bytes = Array(text.utf8)
    return try ConfigUnit(
      gzip ? GzipAnswer.compressed(bytes) ?? [] : bytes, coding: gzip ? "gzip" : nil)
  }

  @Test func `Android's JSON is read`() throws {
    let request = try Self.read(Self.android)
    #expect(request.installation == "fid")
    #expect(request.appID == "1:1:android:ab")
    #expect(request.system == "android")
    #expect(request.country == "US")
    #expect(request.language == "en-US")
    #expect(request.version == "1.2")
    #expect(request.firstOpened == Timestamp(text: "2025-01-02T03:04:05.678Z"))
    #expect(request.properties == ["level": "3"])
    #expect(request.signals == ["plan": "gold", "age": "7", "is": "true"])
    #expect(request.user == nil)
    #expect(request.appName == "p")
  }

  @Test func `Apple's text that is nearly JSON is read, compressed or not`() throws {
    let request = try Self.read(Self.apple, gzip: true)
    let plain = try Self.read(Self.apple)
    #expect(request == plain)
    #expect(request.system == "ios")
    #expect(request.build == "1")
    #expect(request.properties == ["level": "3"])
    #expect(request.signals == ["plan": "gold"])
  }

  @Test func `plain text that claims to be gzip is read, and our own field`() throws {
    let text = #"{"app_id": "1:1:web:ab", "user_id": "u"}"#
    let request = try ConfigUnit(Array(text.utf8), coding: "gzip")
    #expect(request.system == "web")
    #expect(request.user == "u")
  }

  /// A body in zlib's format, in one uncompressed block.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var sums: (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      sums.0 = (sums.0 + UInt32(byte)) % 65_521
      sums.1 = (sums.1 + sums.0) % 65_521
    }
    let length = [UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8)]
    let check = [sums.1 >> 8, sums.1, sums.0 >> 8, sums.0].map { UInt8(truncatingIfNeeded: $0) }
    return [0x78, 0x01, 0x01] + length + length.map { ~$0 } + bytes + check
  }

  @Test func `deflate is read, and an unsupported coding is named`() throws {
    let plain = try Self.read(Self.android)
    let packed = Self.stored(Array(Self.android.utf8))
    #expect(try ConfigUnit(packed, coding: "deflate") == plain)
    #expect(try ConfigUnit(packed, coding: "Deflate") == plain)
    #expect(try ConfigUnit(Array(Self.android.utf8), coding: "identity") == plain)
    for (body, coding, message) in [
      (packed, "br", "The body's Content-Encoding is 'br'; gzip and deflate are supported"),
      (Array(packed.dropLast(3)), "deflate", "The body is not deflate of at most 262,144 bytes"),
    ] {
      let error = #expect(throws: HostError.self) { try ConfigUnit(body, coding: coding) }
      #expect(error?.code == .invalid && error?.message == message)
    }
  }

  /// Texts of Apple's client, and their app versions.
  static let apostrophes: [(String, String)] = [
    ("{app_id:'a', app_version:'Bob's'}", "Bob's"),
    ("{app_id:'a', app_version:'Bob's', app_build:'1'}", "Bob's"),
    ("{app_version:'rock 'n' roll', app_id:'a'}", "rock 'n' roll"),
    ("{app_version:'O'Brien, inc', app_id:'a'}", "O'Brien, inc"),
    ("{app_version:'', app_id:'a',}", ""), ("{app_version:'it\\'s',app_id:'a'}", "it's"),
    ("{ app_version : 1.0 , app_id : a }", "1.0"),
    ("{app_version:\"\\u0041\\ud83d\\ude00\",app_id:'a'}", "A😀"),
    ("{app_id:'a',app_version:'x',app_version:'y'}", "x"),
  ]

  @Test(arguments: apostrophes)
  func `unescaped apostrophes do not end a text`(text: String, version: String) throws {
    #expect(try Self.read(text).version == version)
  }

  @Test func `a body has at most 1,000 values in total`() throws {
    // One of two members contains the others.
    for (count, isRead) in [(998, true), (999, false)] {
      let values = String(repeating: "1,", count: count)
      let request = try? Self.read("{app_id:'1:1:web:ab',x:[\(values)]}")
      #expect((request != nil) == isRead, "\(count)")
    }
  }

  static let refused: [(String, String)] = [
    (
      "",
      "The body is not the JSON of Firebase's clients: a value is expected, but the text ends at line 1, column 1, byte 0"
    ),
    (
      "[]",
      "The body is not the JSON of Firebase's clients: expected an object, got an array at line 1, column 3, byte 2"
    ),
    (
      "{",
      "The body is not the JSON of Firebase's clients: a key is expected, but the text ends at line 1, column 2, byte 1"
    ),
    ("{}", "The field 'appId' is missing"), (#"{"appId": ""}"#, "The field 'appId' is missing"),
    (
      #"{"appId": "a"} x"#,
      "The body is not the JSON of Firebase's clients: there is text after the end of the value, found 'x' at line 1, column 16, byte 15"
    ),
    (#"{"appId": {}}"#, "The field 'appId' is not a string or a number"),
    (#"{"appId": "a", "customSignals": 3}"#, "The field 'customSignals' is not an object"),
    (
      #"{"appId": "a", "customSignals": {"x": []}}"#,
      "The field 'customSignals.x' is not a string or a number"
    ),
    (
      #"{"appId": "a", "appVersion": "\#(String(repeating: "1", count: 501))"}"#,
      "The field 'appVersion' has more than 500 characters"
    ),
    (
      #"{"a": "# + String(repeating: "[", count: 1000),
      "The body is not the JSON of Firebase's clients: values are nested deeper than 8 levels at line 1, column 14, byte 13"
    ),
    (
      #"{"a": ["# + String(repeating: "1,", count: 1000),
      "The body is not the JSON of Firebase's clients: there are more than 1,000 values at line 1, column 2006, byte 2005"
    ),
  ]

  @Test(arguments: refused)
  func `a body that is not a fetch is rejected with the field`(text: String, message: String) {
    let error = #expect(throws: HostError.self) { try Self.read(text) }
    #expect(error?.message == message)
    #expect(error?.code == .invalid)
  }

  @Test func `a bomb and a truncated body are rejected`() throws {
    let bomb = try #require(GzipAnswer.compressed([UInt8](repeating: 0x20, count: 4 << 20)))
    let whole = try #require(GzipAnswer.compressed(Array(Self.apple.utf8)))
    for body in [bomb, Array(whole.dropLast(9)), Array(whole.prefix(10)), [0x1F, 0x8B]] {
      let error = #expect(throws: HostError.self) { try ConfigUnit(body, coding: "gzip") }
      #expect(error?.message == "The body is not gzip of at most 262,144 bytes")
    }
  }

  @Test func `mutated bodies are read or rejected, and nothing else`() throws {
    let texts = [Self.android, Self.apple].map { Array($0.utf8) }
    var words = TextMutator(seed: 34)
    var bytes = ByteMutator(seed: 35)
    for round in 0..<3_000 {
      _ = try? ConfigUnit(words.mutated(texts[round % 2]), coding: nil)
      _ = try? ConfigUnit(bytes.mutated(texts), coding: nil)
      let compressed = try #require(GzipAnswer.compressed(texts[round % 2]))
      _ = try? ConfigUnit(bytes.mutated([compressed]), coding: "gzip")
    }
  }
}
#endif
