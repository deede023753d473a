// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import FoveaHTTP
import FoveaInference
import FoveaTesting
import HTTPTypes
import Hummingbird
import Logging

/// Damaged bodies of each protocol: a response, or a caller's error with code or message; never a server
/// error.
struct RequestFuzz {
  enum Kind: String, Codable, CaseIterable, Sendable {
    case multipart, json, gzip, deepStack, autoML, openInference, tensors, doods, cloudVision, vertex,
      roboflow
  }

  /// A valid request.
  private struct Sound {
    var path: String
    var headers: [(name: String, value: String)] = []
    var body: [UInt8]
    /// The number of JSON bytes in the body, if more follows.
    var headLength: Int?

    init(_ path: String, type: String? = nil, _ body: [UInt8]) {
      self.path = path
      self.body = body
      if let type { headers.append(("Content-Type", type)) }
    }

    init(_ path: String, _ json: String) { self.init(path, type: "application/json", Array(json.utf8)) }
  }

  private let responder: any HTTPResponder<HTTPContext>
  private let sound: Sound
  private let kind: Kind

  /// Runs a batch in this process and prints the outcomes.
  static func run(_ kind: Kind, _ batch: FuzzBatch) async {
    do {
      let fuzz = try await RequestFuzz(kind)
      await batch.run(kind.rawValue) { seed in try await fuzz.outcome(of: seed) }
    } catch {
      print("failed \(error)")
    }
  }

  private init(_ kind: Kind) async throws {
    var options = InferenceOptions()
    options.slots = 1
    options.deadline = .seconds(60)
    options.maximumBody = 1 << 20
    let models = PackageRoot.path + "/Tests/Fixtures/models/"
    let service = try await InferenceService(
      [
        ModelEntry(name: "default", source: .file(models + "classifier_uint8.tflite")),
        ModelEntry(name: "things", source: .file(models + "described_detect.tflite")),
      ], options: options,
      logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() })
    responder = service.router().buildResponder()
    sound = RequestFuzz.sound(kind)
    self.kind = kind
  }

  /// The status of the undamaged body.
  static func soundStatus(_ kind: Kind) async throws -> String {
    let fuzz = try await RequestFuzz(kind)
    return try await fuzz.send(fuzz.sound.body, headLength: fuzz.sound.headLength)
  }

  private func outcome(of seed: UInt64) async throws -> String {
    var bytes = ByteMutator(seed: seed)
    let body: [UInt8]
    var headLength = sound.headLength
    switch kind {
    case .multipart, .deepStack, .gzip: body = bytes.mutated([sound.body])
    case .tensors:
      // Damages the JSON, the data after it, or the number that separates them.
      var text = TextMutator(seed: seed)
      let parts = (Array(sound.body.prefix(headLength ?? 0)), Array(sound.body.dropFirst(headLength ?? 0)))
      let head = bytes.below(2) == 0 ? text.mutated(parts.0) : parts.0
      let tail = bytes.below(2) == 0 ? bytes.mutated([parts.1]) : parts.1
      headLength = head.count + (bytes.below(4) == 0 ? bytes.below(64) - 32 : 0)
      body = head + tail
    default:
      var text = TextMutator(seed: seed)
      body = text.mutated(sound.body)
    }
    if let keep = FuzzBatch.keep {
      try Data(body).write(to: URL(fileURLWithPath: "\(keep)/\(kind)-\(seed)"))
    }
    return try await send(body, headLength: headLength)
  }

  private func send(_ body: [UInt8], headLength: Int?) async throws -> String {
    var head = HTTPRequest(method: .post, scheme: "http", authority: "fuzz", path: sound.path)
    for (name, value) in sound.headers {
      if let name = HTTPField.Name(name) { head.headerFields[name] = value }
    }
    head.headerFields[.contentLength] = String(body.count)
    if let headLength, let name = HTTPField.Name("Inference-Header-Content-Length") {
      head.headerFields[name] = String(headLength)
    }
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body)))
    let context = HTTPContext(address: nil, logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() })
    let response = try await responder.respond(to: request, context: context)
    let status = response.status.code
    guard status < 500 else { throw FuzzFailure("is answered with \(status)") }
    guard let length = response.body.contentLength, length > 0 else {
      throw FuzzFailure("is answered with \(status) and no body")
    }
    return String(status)
  }

  private static func sound(_ kind: Kind) -> Sound {
    let base64 = image.base64EncodedString()
    switch kind {
    case .multipart:
      return form("/v1/label", [("a", "a.png", Array(image)), ("threshold", nil, Array("0.1".utf8))])
    case .json:
      return Sound(
        "/v1/label",
        #"{"images": [{"base64": "\#(base64)", "name": "a"}, {"base64": "\#(base64)"}], "parameters": {"threshold": 0.5, "max-labels": 3}}"#
      )
    case .gzip:
      var sound = Sound("/v1/label", Array(compressed))
      sound.headers = [("Content-Encoding", "gzip")]
      return sound
    case .deepStack:
      return form(
        "/v1/vision/custom/things",
        [("image", "a.png", Array(image)), ("min_confidence", nil, Array("0.1".utf8))])
    case .autoML:
      return Sound(
        "/v1/models/default:predict",
        #"{"instances": [{"image_bytes": {"b64": "\#(base64)"}, "key": "1"}], "signature_name": "serving_default"}"#
      )
    case .openInference:
      return Sound(
        "/v2/models/default/infer",
        #"{"id": "7", "inputs": [{"name": "image", "datatype": "BYTES", "shape": [1], "data": ["\#(base64)"]}], "outputs": [{"name": "scores", "parameters": {"binary_data": false}}], "parameters": {"timeout": 5000000}}"#
      )
    case .tensors: return tensors
    case .doods:
      return Sound(
        "/detect",
        #"{"id": "a", "detector_name": "things", "data": "\#(base64)", "detect": {"*": 50, "red": 10}}"#)
    case .cloudVision:
      return Sound(
        "/v1/images:annotate",
        #"{"requests": [{"image": {"content": "\#(base64)"}, "features": [{"type": 4, "maxResults": 3}, {"type": "OBJECT_LOCALIZATION"}]}]}"#
      )
    case .vertex:
      return Sound(
        "/v1/projects/p/locations/l/endpoints/default:predict",
        #"{"instances": [{"content": "\#(base64)"}], "parameters": {"confidenceThreshold": 0.1, "maxPredictions": 4}}"#
      )
    case .roboflow:
      return Sound(
        "/infer/classification",
        #"{"model_id": "default", "api_key": "None", "image": {"type": "base64", "value": "\#(base64)"}, "confidence": 0.4}"#
      )
    }
  }

  /// A PNG of 4 x 4 pixels, and the same under gzip.
  private static let image = bytes(
    "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAALklEQVR4nA3HMQEAMBACMeQg4kUgh/FEIbDNFklYRFRIh48cvZ/iktL+DI+Mjgd5"
      + "cxFhmrc1xAAAAABJRU5ErkJggg==")
  private static let compressed = bytes(
    "H4sIAAAAAAACA+sM8HPn5ZLiYmBg4PX0cAkC0iwgzMEEJNUmc2oCKT1PF8eQijm8xw0ZGQwEmAyfKDxyVWj/6KK44ayYZ4RLiEd7v8ze+Y8mXfrH"
      + "09/Tx15ZLJg4a7vpEaBOBk9XP5d1TglNAIGXgIdnAAAA")

  private static func bytes(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }

  /// A form with fields and files.
  private static func form(_ path: String, _ parts: [(name: String, file: String?, content: [UInt8])])
    -> Sound
  {
    var body: [UInt8] = []
    for part in parts {
      let file = part.file.map { "; filename=\"\($0)\"" } ?? ""
      body += Array("--cut\r\nContent-Disposition: form-data; name=\"\(part.name)\"\(file)\r\n\r\n".utf8)
      body += part.content + Array("\r\n".utf8)
    }
    return Sound(path, type: "multipart/form-data; boundary=cut", body + Array("--cut--\r\n".utf8))
  }

  /// The raw input of the fixture's graph after its description: 1 x 32 x 32 x 3 bytes.
  private static var tensors: Sound {
    let head =
      #"{"inputs": [{"name": "image", "datatype": "UINT8", "shape": [1, 32, 32, 3], "parameters": {"binary_data_size": 3072}}], "parameters": {"binary_data_output": true}}"#
    var sound = Sound(
      "/v2/models/default%40tensors/infer", Array(head.utf8) + [UInt8](repeating: 128, count: 3072))
    sound.headLength = head.utf8.count
    return sound
  }
}
#endif
