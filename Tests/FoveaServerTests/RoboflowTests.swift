// SPDX-License-Identifier: Apache-2.0
#if Server
  import Foundation
  import FoveaServer
  import FoveaTesting
  import Testing

  @Suite struct RoboflowTests {
    private static func json(_ answer: HTTPAnswer) throws -> [String: Any] {
      try #require(JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
    }

    @Test func `a box has its centre, and a list of images a list of answers`() async throws {
      let image = Data(try RunningInference.bytes()).base64EncodedString()
      let one = #"{"type": "base64", "value": "\#(image)"}"#
      try await RunningInference.run { server in
        let answer = try Self.json(
          server.post(
            "/infer/object_detection",
            #"{"model_id": "default", "image": \#(one), "confidence": 0.3, "max_detections": 1, "api_key": "x"}"#
          ))
        let found = try #require(answer["predictions"] as? [[String: Any]])
        #expect(found.count == 1 && found[0]["class"] as? String == "cup")
        let size = try #require(answer["image"] as? [String: Any])
        let (x, width) = (found[0]["x"] as? Double ?? -1, found[0]["width"] as? Double ?? -1)
        #expect(x - width / 2 >= 0 && x + width / 2 <= size["width"] as? Double ?? 0)
        let list = try server.post(
          "/infer/classification", #"{"model_id": "coarse", "image": [\#(one), \#(one)]}"#)
        let answers = try #require(
          JSONSerialization.jsonObject(with: Data(list.body.utf8)) as? [[String: Any]])
        #expect(answers.count == 2 && answers[0]["top"] as? String == "Home good")
        let models = try Self.json(server.send("GET", "/model/registry?api_key=None"))
        #expect((models["models"] as? [[String: Any]])?.first?["input_width"] is NSNull)
        #expect(try server.post("/model/add", #"{"model_id": "coarse"}"#).status == 200)
        #expect(try server.post("/model/remove", #"{"model_id": "coarse"}"#).status == 200)
        #expect(try server.send("GET", "/v1/models/coarse").body.contains("ready"))
      }
    }

    @Test func `a call that is wrong has its message, and the next is answered`() async throws {
      let image = Data(try RunningInference.bytes()).base64EncodedString()
      let good = #"{"model_id": "default", "image": {"type": "base64", "value": "\#(image)"}}"#
      try await RunningInference.run { server in
        for (body, status) in [
          ("", 400), ("[]", 400), ("{}", 400), (#"{"image": {}}"#, 400), (#"{"image": []}"#, 400),
          (#"{"image": {"type": "url", "value": "http://127.0.0.1/a.jpg"}}"#, 400),
          (#"{"image": {"value": "https://127.0.0.1/a.jpg", "type": "url"}}"#, 400),
          (#"{"image": {"type": "numpy", "value": "aGVs"}}"#, 400),
          (#"{"image": {"type": "base64", "value": "aGVsbG8="}}"#, 400),
          (#"{"model_id": "no", "image": {"type": "base64", "value": "aGVs"}}"#, 404),
          (#"{"model_id": "coarse", "image": {"type": "base64", "value": "aGVs"}}"#, 400),
          (#"{"image": {"type": "base64", "value": "aGVs"}, "confidence": 2}"#, 400),
        ] {
          let answer = try server.post("/infer/object_detection", body)
          #expect(answer.status == status, "\(body): \(answer.body)")
          let message = try #require(try Self.json(answer)["message"] as? String, "\(body)")
          #expect(message.contains("nothing is fetched") == body.contains("127.0.0.1"), "\(body): \(message)")
          #expect(try server.post("/infer/object_detection", good).status == 200, "after \(body)")
        }
      }
    }
  }
#endif
