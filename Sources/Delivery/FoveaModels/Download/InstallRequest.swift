// SPDX-License-Identifier: Apache-2.0

/// A request to install a file as a model, with everything known about it beforehand.
struct InstallRequest: Sendable {
  let name: String
  let source: Source
  /// The name of its partial file.
  let partialFileName: String
  /// The size of the whole file; nil if unknown.
  var byteCount: Int?
  /// The required SHA-256; nil if unknown.
  var sha256: String?
  var license: String?
  /// The data from a host that publishes versions, and the address of that data; nil for other sources.
  var published: ModelRecord.Published?
  var information: DownloadAddress?

  enum Source: Sendable, Hashable {
    case web(DownloadAddress)
    case file(String)
  }

  /// Creates the request for a catalogue model.
  init(_ plan: DownloadPlan) {
    name = plan.entry.name
    source = .web(plan.address)
    partialFileName = plan.entry.sha256
    byteCount = plan.byteCount
    sha256 = plan.entry.sha256
    license = plan.entry.license
  }

  /// Creates the request for a model at an address, whose content is unknown beforehand.
  init(_ name: String, _ source: Source) {
    self.name = name
    self.source = source
    partialFileName = name
  }

  /// Creates the request for a version that a host offers.
  init(_ service: VersionHost, _ offer: ModelInfo.Offer, parts: PartialFileNames) {
    name = service.name
    information = service.information
    source = .web(offer.address)
    partialFileName = offer.sha256.map(parts.part) ?? service.name
    byteCount = offer.byteCount
    sha256 = offer.sha256
    published = offer.published
  }

  /// Whether it is from the catalogue, whose files were checked before they were listed; others are checked
  /// after the download.
  var isTrusted: Bool { license != nil }

  /// The source: an address without secrets, or a path.
  var shown: String {
    switch source {
    case .web(let address): address.shown
    case .file(let path): path
    }
  }

  /// Returns the content for `current.json` after the download of a file of that size and checksum.
  func record(bytes: Int, sha256 found: String, validator: HTTPValidator) -> ModelRecord {
    // The address of a version's file is useless later.
    let source = ModelRecord.Source(kind: isTrusted ? "catalogue" : "host", url: information?.shown ?? shown)
    var record = ModelRecord(bytes: bytes, sha256: found, source: source)
    record.license = license
    record.published = published
    if sha256 == nil { record.validator = validator }
    return record
  }
}
