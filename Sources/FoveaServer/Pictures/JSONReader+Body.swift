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
  }
#endif
