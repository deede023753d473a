// SPDX-License-Identifier: Apache-2.0

/// The JSON answer to a request for a model's information; `ModelInfo` validates the values.
///
/// **Source:** REST interface of Firebase ML, v1beta2, `projects.models.download`; `sha256`, `version` and
/// `choices` are additions of `fovea host`.
struct AnswerText: Decodable {
  struct Offer: Decodable {
    var downloadUri: String?
    var expireTime: String?
    /// An integer as a string, as the REST interface writes all 64-bit numbers.
    var sizeBytes: String?
    var sha256: String?
    var version: String?
    var variant: String?
  }

  struct Choices: Decodable {
    var seed: String?
    var unit: String?
    var experiment: String?
    var items: [Item]?
  }

  struct Item: Decodable {
    var below: Int?
    let offer: Offer

    private enum CodingKeys: CodingKey { case below }

    init(from decoder: any Decoder) throws {
      below = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Int.self, forKey: .below)
      offer = try Offer(from: decoder)
    }
  }

  let offer: Offer
  var modelFormat: String?
  var choices: Choices?

  private enum CodingKeys: CodingKey { case modelFormat, choices }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    modelFormat = try container.decodeIfPresent(String.self, forKey: .modelFormat)
    choices = try container.decodeIfPresent(Choices.self, forKey: .choices)
    offer = try Offer(from: decoder)
  }

  /// Shortens a value for a message, and removes control characters.
  static func short(_ value: String) -> String {
    let plain = value.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
    return String(String.UnicodeScalarView(plain.prefix(80)))
  }

  /// The body of an error answer of a host.
  struct ErrorBody: Decodable {
    struct Content: Decodable { var message: String? }
    var error: Content?
  }
}
