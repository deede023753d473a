// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaInference
import FoveaTesting
import Testing

/// The form fields that clients of DeepStack send with an image.
@Suite struct DeepStackFormTests {
  typealias Row = (fields: [(name: String, value: String)], status: Int, text: String)

  static let rows: [Row] = [
    ([], 200, #""success": true"#),
    ([("min_confidence", "0.3")], 200, #""label": "cup""#),
    ([("min_confidence", "1")], 200, #""count": 0"#),
    (
      [("min_confidence", "1"), ("min_confidence", "0.3")], 400,
      "The option 'min_confidence' is given twice. Give it only once"
    ),
    ([("min_confidence", "0.3"), ("min_confidence", "0.3")], 400, "'min_confidence' is given twice"),
    ([("max-objects", "1"), ("max-objects", "2")], 400, "The option 'max-objects' is given twice"),
    ([("api_key", "x"), ("api_key", "x"), ("admin_key", "x"), ("admin_key", "y")], 200, #""success": true"#),
    ([("min_confidence", "0.3"), ("max-objects", "1")], 200, #""count": 1,"#),
    ([("api_key", "x"), ("admin_key", "x")], 200, #""success": true"#),
    ([("min_confidence", "")], 400, "The option 'min_confidence' is ''; it must be a number"),
    ([("min_confidence", "1.1")], 400, "The option 'min_confidence' is '1.1'; it must be 0…1"),
    ([("min_confidence", "nan")], 400, "The option 'min_confidence' is 'nan'; it must be 0…1"),
    ([("max-objects", "0")], 400, "The option 'max-objects' is '0'; it must be 1 or more"),
    ([("max-objects", "1.5")], 400, "The option 'max-objects' is '1.5'; it must be a whole number"),
    ([("min_confidense", "0.3")], 400, "Did you mean 'min_confidence'?"),
    // Options of the native calls, which DeepStack does not have.
    ([("threshold", "0.3")], 400, "There is no option 'threshold'"),
    ([("allow", "cup"), ("allow", "dog")], 400, "There is no option 'allow'"),
    ([("deny", "cup")], 400, "There is no option 'deny'"),
    ([("single", "true")], 400, "There is no option 'single'"),
    ([("slice", "true")], 400, "There is no option 'slice'"),
    ([("label-threshold", "0.3")], 400, "There is no option 'label-threshold'"),
    ([("max-labels", "1")], 400, "There is no option 'max-labels'"),
  ]

  @Test func `a form has only the fields of these clients`() async throws {
    let photo = try RunningInference.bytes()
    try await RunningInference.run([.embedded]) { server in
      for row in Self.rows {
        let fields = row.fields.map { field in
          "--X\r\nContent-Disposition: form-data; name=\"\(field.name)\"\r\n\r\n\(field.value)\r\n"
        }
        let file = "--X\r\nContent-Disposition: form-data; name=\"image\"; filename=\"c.jpg\"\r\n\r\n"
        let answer = try server.send(
          "POST", "/v1/vision/detection", headers: ["Content-Type": "multipart/form-data; boundary=X"],
          Array((fields.joined() + file).utf8) + photo + Array("\r\n--X--\r\n".utf8))
        #expect(answer.status == row.status, "\(row.fields): \(answer.body)")
        #expect(answer.body.contains(row.text), "\(row.fields): \(answer.body)")
      }
      let field = "--X\r\nContent-Disposition: form-data; name=\"min_confidence\"\r\n\r\n1\r\n"
      let file = "--X\r\nContent-Disposition: form-data; name=\"image\"; filename=\"c.jpg\"\r\n\r\n"
      let both = try server.send(
        "POST", "/v1/vision/detection?min_confidence=0.3",
        headers: ["Content-Type": "multipart/form-data; boundary=X"],
        Array((field + file).utf8) + photo + Array("\r\n--X--\r\n".utf8))
      #expect(both.status == 400)
      #expect(both.body.contains("The option 'min_confidence' is given twice"), "\(both.body)")
    }
  }
}
#endif
