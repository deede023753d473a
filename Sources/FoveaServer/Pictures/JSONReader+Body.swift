// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaSystem

  extension JSONReader {
    /// A reader of the body of a request, where half of a surrogate pair is the caller's mistake.
    static func body(_ bytes: [UInt8]) -> JSONReader {
      var reader = JSONReader(bytes: bytes, name: "The body")
      reader.takesHalfPairs = false
      return reader
    }

    /// Whether the next value is the address of an image where its bytes are wanted.
    mutating func isAddressNext() throws(JSONFailure) -> Bool {
      for scheme in ["http://", "https://", "gs://"] where try isText(beginningWith: scheme) { return true }
      return false
    }
  }
#endif
