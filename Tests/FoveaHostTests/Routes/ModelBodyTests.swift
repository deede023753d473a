// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

/// The members of a model that Google's clients send.
@Suite struct ModelBodyTests {
  private static let models = "/v1beta2/projects/test-project/models"

  private static func create(_ host: RunningHost) throws {
    #expect(try host.upload("a", UploadTests.model).status == 200)
    let file = #""tfliteModel": {"gcsTfliteUri": "gs://\#(RunningHost.bucket)/a"}"#
    let made = try host.send(
      as: .publisher, "POST", models, body: #"{"displayName": "birds", "tags": ["x"], \#(file)}"#)
    guard made.body.contains("modelHash") else { throw TestFailure("not created: \(made.body)") }
  }

  @Test func `a whole model that is sent back is accepted and changes nothing`() async throws {
    try await RunningHost.run { host throws in
      try Self.create(host)
      let read = try host.send(as: .viewer, "GET", "\(Self.models)/birds").body
      let state = #""state": {"published": false, "validationError": {"code": 3, "message": "m"}}"#
      let whole =
        #"{"activeOperations": [{"name": "projects/p/operations/o", "done": false}], "#
        + read.dropFirst().replacing(#""state": {"published": false}"#, with: state)
      for body in [read, whole] {
        let answer = try host.send(as: .publisher, "PATCH", "\(Self.models)/birds", body: body)
        #expect(answer.status == 200 && !answer.body.contains("\"error\""), "\(answer.body)")
        let model = try host.models.model("birds")
        #expect(model.tags == ["x"] && !model.isPublished && model.versions.count == 1)
      }
    }
  }

  @Test func `a published state without a mask is applied, unless it was read before the last change`()
    async throws
  {
    try await RunningHost.run { host throws in
      try Self.create(host)
      // ETAG is the current tag.
      for (query, body, isPublished, tags) in [
        ("", #"{"state": {"published": true}}"#, true, ["x"]),
        ("", #"{"etag": "1-1", "state": {"published": false}}"#, true, ["x"]),
        ("", #"{"tags": ["y"]}"#, true, ["y"]),
        ("", #"{"etag": "ETAG", "state": {"published": false}}"#, false, ["y"]),
        ("?updateMask=state", #"{"state": {"published": true}, "tags": []}"#, true, ["y"]),
        ("?update_mask=state.published", "{}", false, ["y"]),
        ("?updateMask=", #"{"state": {}, "tags": null}"#, false, ["y"]),
        ("?updateMask=tags", #"{"state": {"published": true}}"#, false, []),
      ] {
        let tag = try host.send(as: .viewer, "GET", "\(Self.models)/birds").headers["etag"] ?? ""
        let answer = try host.send(
          as: .publisher, "PATCH", "\(Self.models)/birds\(query)", body: body.replacing("ETAG", with: tag))
        #expect(answer.status == 200 && !answer.body.contains("\"error\""), "\(body): \(answer.body)")
        let model = try host.models.model("birds")
        #expect(model.isPublished == isPublished && model.tags == tags, "\(query) \(body)")
      }
    }
  }
}
#endif
