// SPDX-License-Identifier: Apache-2.0

/// A file that is to be installed as a model, and all that is known about it beforehand.
struct ModelOrder: Sendable {
  let name: String
  let source: Source
  /// What its part is called.
  let partName: String
  /// The size of the whole file; nil where it is not known.
  var byteCount: Int?
  /// The SHA-256 that decides; nil where none is known.
  var sha256: String?
  var license: String?
  /// What a host that publishes versions says about it, and where it said so; nil for all others.
  var published: ModelRecord.Published?
  var information: DownloadAddress?

  enum Source: Sendable, Hashable {
    case web(DownloadAddress)
    case file(String)
  }

  /// A model of the catalogue.
  init(_ plan: DownloadPlan) {
    name = plan.entry.name
    source = .web(plan.address)
    partName = plan.entry.sha256
    byteCount = plan.byteCount
    sha256 = plan.entry.sha256
    license = plan.entry.license
  }

  /// A model of an address, whose content no one knows beforehand.
  init(_ name: String, _ source: Source) {
    self.name = name
    self.source = source
    partName = name
  }

  /// A version that a host offers.
  init(_ service: VersionHost, _ offer: ModelInfo.Offer, parts: PartNames) {
    name = service.name
    information = service.information
    source = .web(offer.address)
    partName = offer.sha256.map(parts.part) ?? service.name
    byteCount = offer.byteCount
    sha256 = offer.sha256
    published = offer.published
  }

  /// Whether it is of the catalogue, whose files were checked before they were entered; the rest is checked when it
  /// arrives.
  var isTrusted: Bool { license != nil }

  /// Where it comes from: an address without secrets, or a path.
  var shown: String {
    switch source {
    case .web(let address): address.shown
    case .file(let path): path
    }
  }

  /// What `current.json` will say, once so many bytes with that checksum are there.
  func record(bytes: Int, sha256 found: String, validator: HTTPValidator) -> ModelRecord {
    // The address of a version's file is of no use later.
    let source = ModelRecord.Source(kind: isTrusted ? "catalogue" : "host", url: information?.shown ?? shown)
    var record = ModelRecord(bytes: bytes, sha256: found, source: source)
    record.license = license
    record.published = published
    if sha256 == nil { record.validator = validator }
    return record
  }
}
