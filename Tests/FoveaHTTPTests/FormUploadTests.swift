// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import Testing

@Suite struct FormUploadTests {
  static let type = "multipart/form-data; boundary=XX"

  /// The events of a body that arrives in pieces, with a file's bytes joined.
  private func events(of body: String, pieces: Int, type: String = type) throws -> [FormUpload.Event] {
    var form = try FormUpload(contentType: type)
    var events: [FormUpload.Event] = []
    let bytes = Array(body.utf8)
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      for event in try form.append(bytes[start..<min(start + pieces, bytes.count)]) {
        if case .bytes(let more) = event, case .bytes(let before) = events.last {
          events[events.count - 1] = .bytes(before + more)
        } else {
          events.append(event)
        }
      }
    }
    try form.finish()
    return events
  }

  private func part(_ disposition: String, _ content: String) -> String {
    "--XX\r\nContent-Disposition: form-data; \(disposition)\r\n\r\n\(content)\r\n"
  }

  @Test(arguments: [1, 2, 3, 5, 7, 64, 10_000])
  func `a form is the same however its bytes are split`(_ pieces: Int) throws {
    let content = "\r\n--X\r\n\r\n-\u{0}\r\n--X"
    let body =
      "preamble\r\n" + part("name=form", "sealed") + part("name=empty", "")
      + part("name=\"file\"; filename=\"a.tflite\"", content) + part("name=none; filename=\"\"", "")
      + part("name=last", "ä\r\nb") + "--XX--\r\nepilogue"
    #expect(
      try events(of: body, pieces: pieces) == [
        .field(name: "form", value: "sealed"), .field(name: "empty", value: ""),
        .file(name: "file", fileName: "a.tflite"), .bytes(Array(content.utf8)), .endOfFile,
        .file(name: "none", fileName: ""), .endOfFile, .field(name: "last", value: "ä\r\nb"),
      ])
  }

  @Test func `a form may be empty`() throws { #expect(try events(of: "--XX--", pieces: 1).isEmpty) }

  @Test func `the memory for a file does not grow with it`() throws {
    var form = try FormUpload(contentType: Self.type)
    _ = try form.append(
      Array("--XX\r\nContent-Disposition: form-data; name=f; filename=f\r\n\r\n".utf8))
    for _ in 0..<64 {
      let count = try form.append([UInt8](repeating: 0x2D, count: 1 << 16)).reduce(0) { sum, event in
        guard case .bytes(let bytes) = event else { return sum }
        return sum + bytes.count
      }
      #expect(count > (1 << 16) - 16)
    }
  }

  @Test(arguments: [
    "", "--XX", "--XX\r\n", "--YY--", "--XX\r\nContent-Disposition: form-data; name=a\r\n\r\nno end",
    "--XX\r\nContent-Disposition: form-data; name=a; filename=b\r\n\r\nno end",
    "--XX\r\nContent-Type: text/plain\r\n\r\nno name\r\n--XX--", "--XXrest\r\n\r\na\r\n--XX--",
    "--XX\r\nX: \(String(repeating: "a", count: 9_000))\r\n\r\na\r\n--XX--",
    String(repeating: "--XX\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n", count: 101) + "--XX--",
  ])
  func `an incomplete form is rejected`(_ body: String) {
    for pieces in [1, 1_000_000] {
      let refusal = #expect(throws: Refusal.self) { try events(of: body, pieces: pieces) }
      #expect(refusal?.code == "request-malformed")
    }
  }

  @Test(arguments: [1 << 10, 1 << 20])
  func `a field of more than 64 KiB is rejected`(_ pieces: Int) {
    let body = part("name=a", String(repeating: "x", count: (64 << 10) + 1)) + "--XX--"
    let refusal = #expect(throws: Refusal.self) { try events(of: body, pieces: pieces) }
    #expect(refusal?.code == "request-too-large")
  }

  @Test(arguments: ["", "text/plain", "multipart/form-data", "multipart/mixed; boundary=XX"])
  func `another content type is rejected`(_ type: String) {
    #expect(throws: Refusal.self) { try FormUpload(contentType: type) }
  }
}
#endif
