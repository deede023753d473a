// SPDX-License-Identifier: Apache-2.0

extension LoopbackServer.Reply {
  /// Returns a correct server's response to a request for a file: everything, the rest of it, or that there
  /// is no such rest.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - request: The request, with `Range` and `If-Range`.
  ///   - tag: The strong `ETag`, without quotation marks; nil for a server without one.
  /// - Returns: Status 200, 206 or 416.
  public static func file(
    _ bytes: [UInt8], for request: LoopbackServer.Request, tag: String? = "v1"
  ) -> LoopbackServer.Reply {
    var headers = ["Accept-Ranges": "bytes"]
    if let tag { headers["ETag"] = "\"\(tag)\"" }
    let isSame = request.headers["if-range"].map { $0 == tag.map { "\"\($0)\"" } } ?? true
    guard isSame, let range = request.headers["range"], range.hasPrefix("bytes="), range.hasSuffix("-"),
      let first = Int(range.dropFirst(6).dropLast())
    else { return LoopbackServer.Reply(headers: headers, body: bytes) }
    guard first < bytes.count else {
      headers["Content-Range"] = "bytes */\(bytes.count)"
      return LoopbackServer.Reply(status: 416, headers: headers)
    }
    headers["Content-Range"] = "bytes \(first)-\(bytes.count - 1)/\(bytes.count)"
    return LoopbackServer.Reply(status: 206, headers: headers, body: Array(bytes[first...]))
  }
}
