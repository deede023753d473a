// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import Testing

@Suite struct NetworkNameTests {
  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"),
    ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2/64"),
    ("2001:db8:1:2::", "2001:db8:1:2/64"), ("2001:db8:1:3::", "2001:db8:1:3/64"), ("::1", "0:0:0:0/64"),
    ("unknown", "unknown"), ("", ""),
  ])
  func `a caller is an address of IPv4, or a network of IPv6`(address: String, name: String) {
    #expect(NetworkName.of(address) == name)
  }

  @Test func `a client is its key from any address, else its address or network`() {
    #expect(HTTPContext.client(key: "gate", peer: "2001:db8:1:2::7") == "key gate")
    #expect(HTTPContext.client(key: nil, peer: "2001:db8:1:2::7") == "2001:db8:1:2/64")
    #expect(HTTPContext.client(key: nil, peer: "192.0.2.1") == "192.0.2.1")
  }
}
#endif
