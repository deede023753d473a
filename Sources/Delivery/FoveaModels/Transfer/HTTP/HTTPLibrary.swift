// SPDX-License-Identifier: Apache-2.0

import CCurl
import FoveaCore

/// The system's libcurl, opened at the first download.
@safe
final class HTTPLibrary: Sendable {
  // SAFETY: set once before `init` returns and never changed; each transfer creates its own libcurl handles.
  nonisolated(unsafe) let functions: OpaquePointer

  #if os(macOS) || os(iOS)
  static let names = ["libcurl.4.dylib", "/usr/lib/libcurl.4.dylib"]
  #else
  static let names = ["libcurl.so.4", "libcurl-gnutls.so.4", "libcurl-nss.so.4"]
  #endif

  private static let loaded = Result<HTTPLibrary, TransferError> { () throws(TransferError) in
    try HTTPLibrary(names: names)
  }

  /// Returns the library, loading it at the first call.
  static func shared() throws(TransferError) -> HTTPLibrary { try loaded.get() }

  /// Opens the first library that can be opened; called by one thread at a time.
  init(names: [String]) throws(TransferError) {
    var reasons: [String] = []
    for name in names {
      var detail = [CChar](repeating: 0, count: 512)
      if let functions = unsafe fovea_curl_open(name, &detail, detail.count) {
        unsafe self.functions = functions
        return
      }
      reasons.append(String(decoding: detail.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
    throw TransferError(
      .libraryMissing,
      "Downloads need libcurl, which could not be loaded (\(reasons.joined(separator: "; ")))",
      remedy: "Install it: apt-get install libcurl4 (libcurl4t64 on Ubuntu 24.04 and Debian 13)")
  }
}
