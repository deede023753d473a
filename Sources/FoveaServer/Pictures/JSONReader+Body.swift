// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaSystem

  extension JSONReader {
    /// A reader of the body of a request, where half of a surrogate pair is the caller's mistake.
    static func body(_ bytes: [UInt8]) -> JSONReader {
      var reader = JSONReader(bytes: bytes, name: "The body")
      reader.takesHalfPairs = false
      reader.refusesTwins = true
      return reader
    }

    /// Whether the next value is the address of an image where its bytes are wanted.
    mutating func isAddressNext() throws(JSONFailure) -> Bool {
      for scheme in ["http://", "https://", "gs://"] where try isText(beginningWith: scheme) { return true }
      return false
    }

    /// Takes a number, or one in a text, as Google's JSON has it; nil for null.
    mutating func numberOrNull(_ what: String) throws(JSONFailure) -> Double? {
      switch try peek() {
      case UInt8(ascii: "n"):
        try literal("null")
        return nil
      case UInt8(ascii: "\""):
        let text = try stringValue()
        guard let number = Double(text), number.isFinite else {
          throw mismatch("\(what) is '\(text.prefix(40))'; a number is needed")
        }
        return number
      default: return try double(what)
      }
    }

    /// Takes a text; nil for null.
    mutating func textOrNull(_ what: String) throws(JSONFailure) -> String? {
      switch try peek() {
      case UInt8(ascii: "n"):
        try literal("null")
        return nil
      case UInt8(ascii: "\""): return try stringValue()
      default: throw mismatch("\(what) is not a text")
      }
    }
  }
#endif
