// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension ModelInfo {
  /// The maximum size of an answer in bytes: ten times the size of an answer with a hundred variants.
  static let limit = 1 << 19

  /// Reads the answer to a request for a model's information.
  ///
  /// Unknown fields are ignored, as in Google's SDKs.
  /// - Parameters:
  ///   - json: The body.
  ///   - tag: The `ETag` header of the answer, unchanged.
  ///   - service: The host that answered.
  /// - Throws: `invalidInformation`, which names the field.
  init(json: [UInt8], tag: String?, from service: VersionHost) throws(ModelStoreError) {
    let text: AnswerText
    do { text = try JSONValue.decode(AnswerText.self, from: json) } catch {
      throw service.invalid(error.located)
    }
    guard let tag = tag.flatMap(Self.tag) else { throw service.invalid("it has no header 'ETag'") }
    if let format = text.modelFormat, !["TFLITE", "MODEL_FORMAT_UNSPECIFIED"].contains(format) {
      throw service.invalid("'modelFormat' is '\(AnswerText.short(format))' instead of TFLITE")
    }
    stable = try Self.offer(text.offer, at: "", tag: tag, service)
    if stable.sha256 == nil, tag.isSHA256 { stable.sha256 = tag }
    assignment = try text.choices.flatMap { choices throws(ModelStoreError) in
      try Self.assignment(choices, service)
    }
  }

  /// Returns a tag that can be sent back, without what proxies add: `W/`, quotation marks, `--gzip`.
  static func tag(_ text: String) -> String? {
    var tag = text[...]
    if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
    if tag.utf8.count > 2, tag.hasPrefix("\""), tag.hasSuffix("\"") { tag = tag.dropFirst().dropLast() }
    if tag.hasSuffix("--gzip") { tag = tag.dropLast("--gzip".count) }
    let isPlain = tag.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 }
    return (1...256).contains(tag.utf8.count) && isPlain ? String(tag) : nil
  }

  private static func offer(
    _ text: AnswerText.Offer, at path: String, tag: String?, _ service: VersionHost
  ) throws(ModelStoreError) -> Offer {
    func missing(_ field: String) -> ModelStoreError { service.invalid("'\(path)\(field)' is missing") }
    func wrong(_ field: String, _ value: String, _ what: String) -> ModelStoreError {
      service.invalid("'\(path)\(field)' is '\(AnswerText.short(value))' instead of \(what)")
    }
    guard let uri = text.downloadUri else { throw missing("downloadUri") }
    guard let address = service.address(ofFile: uri) else {
      throw wrong("downloadUri", DownloadAddress.shown(uri), "the address of a file on a web server")
    }
    guard let time = text.expireTime else { throw missing("expireTime") }
    // Devices have wrong clocks, so only the host decides that an address has expired.
    guard HTTPDate.seconds(service: time) != nil else {
      throw wrong("expireTime", time, "a time such as 2026-11-22T10:00:00.000Z")
    }
    guard let size = text.sizeBytes else { throw missing("sizeBytes") }
    guard let byteCount = HTTPHead.count(size), byteCount > 0 else {
      throw wrong("sizeBytes", size, "a count of bytes")
    }
    if let sha256 = text.sha256, !sha256.isSHA256 {
      throw wrong("sha256", sha256, "64 digits of 0 to 9 and a to f")
    }
    if tag == nil, text.sha256 == nil { throw missing("sha256") }
    if let version = text.version, HTTPHead.count(version) == nil {
      throw wrong("version", version, "a whole number")
    }
    if let variant = text.variant, variant.utf8.count > 256 {
      throw wrong("variant", variant, "a short name")
    }
    return Offer(
      address: address, byteCount: byteCount, sha256: text.sha256,
      published: .init(tag: tag ?? text.sha256, version: text.version, variant: text.variant))
  }

  /// Reads the choices; nil if their unit is unknown to this version: then the stable version is right.
  private static func assignment(
    _ text: AnswerText.Choices, _ service: VersionHost
  ) throws(ModelStoreError) -> Assignment? {
    guard let unit = text.unit else { throw service.invalid("'choices.unit' is missing") }
    guard let unit = ExperimentUnit(rawValue: unit) else { return nil }
    if let experiment = text.experiment, experiment.utf8.count > 256 {
      throw service.invalid("'choices.experiment' is longer than 256 bytes")
    }
    guard let seed = text.seed else { throw service.invalid("'choices.seed' is missing") }
    guard seed.utf8.count <= 256 else { throw service.invalid("'choices.seed' is longer than 256 bytes") }
    guard let items = text.items else { throw service.invalid("'choices.items' is missing") }
    var choices: [Choice] = []
    for (index, item) in items.enumerated() {
      let path = "choices.items[\(index)]."
      guard let below = item.below else { throw service.invalid("'\(path)below' is missing") }
      guard (0...PercentHash.count).contains(below) else {
        throw service.invalid("'\(path)below' is \(below) instead of 0 to \(PercentHash.count)")
      }
      var offer = try offer(item.offer, at: path, tag: nil, service)
      if offer.published.variant != nil, let experiment = text.experiment {
        offer.published.experiment = experiment
        offer.published.unit = unit
      }
      choices.append(Choice(below: below, offer: offer))
    }
    return Assignment(unit: unit, seed: seed, choices: choices)
  }
}

extension VersionHost {
  /// Returns the error for an answer that cannot be read.
  func invalid(_ what: String) -> ModelStoreError {
    ModelStoreError(
      .invalidInformation,
      "The answer of \(information.shown) about the model '\(name)' cannot be read: \(what)",
      remedy: "Check the address of \(term: .modelHost), and that the host's version fits this program")
  }
}
