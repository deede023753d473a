// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaHTTP
  internal import FoveaSystem
  internal import HTTPTypes

  /// A call of DOODS.
  ///
  /// `{"detector_name": "default", "data": "<base64>", "detect": {"person": 60, "*": 50}}`
  struct DoodsRequest: Sendable {
    private(set) var id = ""
    private(set) var detector = "default"
    private(set) var picture = Picture(name: "-", bytes: [])
    /// The lowest confidence of each label, 0…100; `*` stands for all others.
    private(set) var confidences: [String: Double] = [:]
    private var namesAddress = false

    private static let id = JSONKey("id")
    private static let detector = JSONKey("detector_name")
    private static let data = JSONKey("data")
    private static let detect = JSONKey("detect")

    init(_ body: [UInt8]) throws(Refusal) {
      do throws(JSONFailure) { try read(body) } catch {
        throw Refusal.malformed(
          error, remedy: #"Send {"detector_name": "default", "data": "<base64>", "detect": {"*": 50}}"#)
      }
      guard !namesAddress else {
        throw Refusal.addressNotFetched(remedy: "Send the image as base64 in 'data'")
      }
    }

    private mutating func read(_ body: [UInt8]) throws(JSONFailure) {
      var reader = JSONReader.body(body)
      try reader.expect(UInt8(ascii: "{"), "an object")
      var isFirst = true
      while let member = try reader.nextKey(&isFirst) {
        switch member {
        case DoodsRequest.id: id = try reader.optionalString() ?? ""
        case DoodsRequest.detector: detector = try reader.textOrNull("'detector_name'") ?? "default"
        case DoodsRequest.data: try readImage(&reader)
        case DoodsRequest.detect: try readConfidences(&reader)
        default: try reader.skip()
        }
      }
      try reader.expectEnd()
      guard !picture.bytes.isEmpty || namesAddress else {
        throw reader.mismatch("'data' is missing or empty")
      }
    }

    private mutating func readImage(_ reader: inout JSONReader) throws(JSONFailure) {
      namesAddress = try reader.isAddressNext()
      if namesAddress { try reader.skip() } else { picture.bytes = try reader.base64Value("'data'") }
    }

    private mutating func readConfidences(_ reader: inout JSONReader) throws(JSONFailure) {
      guard try reader.peek() != UInt8(ascii: "n") else { return try reader.literal("null") }
      try reader.expect(UInt8(ascii: "{"), "an object of labels")
      var isFirst = true
      while try reader.nextKey(&isFirst) != nil {
        let label = reader.lastKey
        confidences[label] = try reader.double("the confidence of '\(label.prefix(40))'")
      }
    }

    /// The lowest score that any label needs, 0…1.
    var lowest: Float { Float(min(100, max(0, confidences.values.min() ?? 0)) / 100) }

    /// Whether the caller wants an object of that name with that confidence, 0…100.
    func takes(_ label: String, _ confidence: Double) -> Bool {
      guard let least = confidences[label] ?? confidences["*"] else { return confidences.isEmpty }
      return confidence >= least
    }
  }
#endif
