// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import Testing

@Suite struct MultipartFormTests {
  static let type = "multipart/form-data; boundary=XX"

  @Test func `fields and files arrive in order`() throws {
    let body =
      "preamble\r\n--XX\r\nContent-Disposition: form-data; name=\"threshold\"\r\n\r\n0.5\r\n"
      + "--XX\r\ncontent-disposition: form-data; filename=\"a;b.jpg\"; name=image\r\n"
      + "Content-Type: image/jpeg\r\n\r\n\u{1}\r\n--X\r\n\r\n--XX\r\n"
      + "Content-Disposition: form-data; name=\"empty\"; filename=\"\"\r\n\r\n\r\n--XX--\r\nepilogue"
    let parts = try MultipartForm(Array(body.utf8), contentType: Self.type).parts
    #expect(parts.map(\.name) == ["threshold", "image", "empty"])
    #expect(parts.map(\.fileName) == [nil, "a;b.jpg", ""])
    #expect(parts.map { String(decoding: $0.content, as: UTF8.self) } == ["0.5", "\u{1}\r\n--X\r\n", ""])
  }

  @Test func `a boundary may be in quotes, and a form may be empty`() throws {
    let form = try MultipartForm(
      Array("--a b--\r\n".utf8), contentType: "multipart/form-data; charset=utf-8; boundary=\"a b\"")
    #expect(form.parts.isEmpty)
  }

  @Test(arguments: [
    ("", type), ("--XX", type), ("--XX\r\n", type), ("--YY--", type),
    ("--XX\r\nContent-Disposition: form-data; name=a\r\n\r\nno end", type),
    ("--XX\r\nContent-Disposition: form-data; name=a\r\n--XX--", type),
    ("--XX--", "multipart/form-data"), ("--XX--", "multipart/form-data; boundary="),
    ("--XX--", "multipart/form-data; boundary=\(String(repeating: "a", count: 71))"),
    ("--XXrest\r\n\r\na\r\n--XX--", type),
    ("--XX\r\nX: \(String(repeating: "a", count: 9_000))\r\n\r\na\r\n--XX--", type),
    (String(repeating: "--XX\r\nA: b\r\n\r\n\r\n", count: 201) + "--XX--", type),
  ])
  func `an incomplete form is rejected`(_ body: String, _ type: String) {
    let refusal = #expect(throws: Refusal.self) { try MultipartForm(Array(body.utf8), contentType: type) }
    #expect(refusal?.code == "request-malformed")
  }
}
#endif
