// SPDX-License-Identifier: Apache-2.0

import CLiteRT
import Testing

/// The only way in which C libraries are opened: LiteRT, libcurl, libcrypto, FFmpeg and those of images.
@Suite struct LoadTests {
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    let names: (StaticString, StaticString)
    var symbol: StaticString = "DGifOpen"
    var capacity = 256
    let result: fovea_load_result
    var reasons: [String] = []
    static let all = [
      Row(
        testDescription: "the first one", names: ("libgif.so.7", "libfovea-none.so.9"), result: FOVEA_LOAD_OK),
      Row(
        testDescription: "the second one", names: ("libfovea-none.so.9", "libgif.so.7"), result: FOVEA_LOAD_OK
      ),
      Row(
        testDescription: "neither", names: ("libfovea-none.so.9", "libfovea-nothing.so.9"),
        result: FOVEA_LOAD_NO_LIBRARY, reasons: ["libfovea-none.so.9: ", "; libfovea-nothing.so.9: "]),
      Row(
        testDescription: "a truncated reason", names: ("libfovea-none.so.9", "libfovea-nothing.so.9"),
        capacity: 9, result: FOVEA_LOAD_NO_LIBRARY, reasons: ["libfovea"]),
      Row(
        testDescription: "no function", names: ("libgif.so.7", "libfovea-none.so.9"), symbol: "fovea_nothing",
        result: FOVEA_LOAD_NO_SYMBOL, reasons: ["libgif.so.7 has no function fovea_nothing"]),
      Row(
        testDescription: "the second one, without the function",
        names: ("libfovea-none.so.9", "libgif.so.7"), symbol: "fovea_nothing",
        result: FOVEA_LOAD_NO_SYMBOL, reasons: ["libgif.so.7 has no function fovea_nothing"]),
    ]
  }

  @Test(arguments: Row.all)
  func `the first existing library is opened, or the attempts are listed`(_ row: Row) {
    var text = [CChar](repeating: 0, count: row.capacity)
    var field: UnsafeMutableRawPointer?
    let result = unsafe withPointers(row.names, row.symbol) { names, symbols in
      unsafe fovea_load(names, symbols, &field, &text, text.count)
    }
    let reason = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let isFound = unsafe field != nil
    #expect(result == row.result && isFound == (row.result == FOVEA_LOAD_OK))
    #expect(row.reasons.allSatisfy { reason.contains($0) }, "\(reason)")
  }
}

/// Lists of two names and one symbol, in C's form.
private func withPointers<R>(
  _ first: (StaticString, StaticString), _ second: StaticString,
  _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> R
) -> R {
  let names: [UnsafePointer<CChar>?] = unsafe [
    UnsafeRawPointer(first.0.utf8Start).assumingMemoryBound(to: CChar.self),
    UnsafeRawPointer(first.1.utf8Start).assumingMemoryBound(to: CChar.self), nil,
  ]
  let symbols: [UnsafePointer<CChar>?] = unsafe [
    UnsafeRawPointer(second.utf8Start).assumingMemoryBound(to: CChar.self), nil,
  ]
  return unsafe names.withUnsafeBufferPointer { names in
    unsafe symbols.withUnsafeBufferPointer { symbols in
      unsafe body(names.baseAddress.unsafelyUnwrapped, symbols.baseAddress.unsafelyUnwrapped)
    }
  }
}
