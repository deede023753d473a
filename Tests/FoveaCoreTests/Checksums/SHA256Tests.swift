// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Testing

@Suite struct SHA256Tests {
  /// The examples of FIPS 180-4 (NIST, "Examples with intermediate values"), and lengths around a block's
  /// end, whose checksums come from coreutils' sha256sum.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (String(repeating: "a", count: 55), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
    (String(repeating: "a", count: 64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func `checksums match the standard`(_ text: String, _ sum: String) {
    #expect(SHA256.hexadecimal(of: Array(text.utf8).span) == sum)
  }

  @Test(arguments: [1, 3, 63, 64, 65, 100])
  func `chunks give the same checksum as the whole`(_ size: Int) {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var sum = SHA256()
    for start in stride(from: 0, to: bytes.count, by: size) {
      sum.update(Array(bytes[start..<min(start + size, bytes.count)]).span)
    }
    #expect(sum.finish() == SHA256.hexadecimal(of: bytes.span))
  }
}
