// SPDX-License-Identifier: Apache-2.0

/// A model that is to be installed, and all that is known about it beforehand.
struct ModelOrder: Sendable {
  let name: String
  let place: ModelHost.Place
  /// What its part is called.
  let partName: String
  /// The size of the whole file; nil where it is not known.
  var byteCount: Int?
  /// The SHA-256 that decides; nil where none is known, so that the content is checked instead.
  var sha256: String?
  var license: String?

  /// A model of the catalogue.
  init(_ plan: DownloadPlan) {
    name = plan.entry.name
    place = .web(plan.address)
    partName = plan.entry.sha256
    byteCount = plan.byteCount
    sha256 = plan.entry.sha256
    license = plan.entry.license
  }

  /// A model of a host.
  /// - Throws: `invalidOption` for the host.
  init(_ name: String, host: String) throws(ModelStoreError) {
    self.name = name
    place = try ModelHost(host).place(of: name)
    partName = name
  }

  /// Where it comes from: an address without user name and password, or a path.
  var source: String {
    switch place {
    case .web(let address): address.shown
    case .file(let path): path
    }
  }

  /// What `current.json` will say, once so many bytes with that checksum are there.
  func record(bytes: Int, sha256 found: String, validator: HTTPValidator) -> ModelRecord {
    let kind = sha256 == nil ? "host" : "catalogue"
    var record = ModelRecord(bytes: bytes, sha256: found, source: .init(kind: kind, url: source))
    record.license = license
    if sha256 == nil { record.validator = validator }
    return record
  }
}
