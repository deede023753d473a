// SPDX-License-Identifier: Apache-2.0

/// The response to a request that closed its connection: status, headers, body.
public struct HTTPAnswer: Sendable {
  /// The status code.
  public let status: Int
  /// The headers by name in lower case.
  public let headers: [String: String]
  /// The body as UTF-8.
  public let body: String

  /// Parses the text of a response.
  public init(_ text: String) throws {
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    let lines = (parts.first ?? "").split(separator: "\r\n")
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count > 1, let status = Int(words[1]) else {
      throw TestFailure("no answer: \(text.prefix(100))")
    }
    var found: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      found[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    self.status = status
    headers = found
    body = parts.count > 1 ? String(parts[1]) : ""
  }
}
