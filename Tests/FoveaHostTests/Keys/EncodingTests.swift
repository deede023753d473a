// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaHost
import Testing

@Suite struct EncodingTests {
  @Test(
    arguments: [
      ("", []), ("Zg", [0x66]), ("Zm8", [0x66, 0x6F]), ("Zm9v", [0x66, 0x6F, 0x6F]), ("-_8", [0xFB, 0xFF]),
    ] as [(String, [UInt8])])
  func `URL-safe base64 round-trips`(text: String, bytes: [UInt8]) {
    #expect(Base64URL.encode(bytes) == text)
    #expect(Base64URL.decode(text) == bytes)
  }

  @Test(arguments: ["Z", "Zg==", "Zh", "Zm9", "+/8", "Zm9v ", "Zm 9", "ä", "Zm9v="])
  func `another spelling is rejected`(_ text: String) { #expect(Base64URL.decode(text) == nil) }

  @Test func `duplicate query items are rejected`() {
    #expect(QueryItems("")?.values == [:])
    #expect(QueryItems("a=1&b=&c&d=x=y")?.values == ["a": "1", "b": "", "c": "", "d": "x=y"])
    #expect(QueryItems("a=b+c")?["a"] == "b+c")
    #expect(QueryItems("a=b+c", plusIsSpace: true)?["a"] == "b c")
    for text in ["a=1&a=1", "a=1&%61=2", "a=%", "%=a", "&&"] { #expect(QueryItems(text) == nil) }
    #expect(QueryItems("b=2&a=%2f&B=1")?.canonical == "B=1&a=%2F&b=2")
  }

  @Test(
    arguments: [
      ([], [], true), ([1], [1], true), ([1], [2], false), ([1], [1, 1], false), ([0], [], false),
    ] as [([UInt8], [UInt8], Bool)])
  func `secrets are compared whole`(first: [UInt8], second: [UInt8], areEqual: Bool) {
    #expect(Secret.isEqual(first, second) == areEqual)
  }
}
#endif
