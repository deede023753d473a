// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The content of `trial.json`: first-launch checks, abandoned versions and pending load reports.
///
/// A version's first load is recorded before it starts and cleared after it. A version that is still recorded
/// at the third start has failed twice and is abandoned for the previous one.
struct FirstLaunchRecord: Codable, Hashable {
  /// A version that is being loaded for the first time.
  struct Entry: Codable, Hashable {
    var sha256: String
    /// The number of processes that started to load it.
    var starts: Int
  }

  /// A load report: a version and the outcome of its load, nothing else.
  struct Report: Codable, Hashable {
    var version: String
    var outcome: String
  }

  /// The outcome of a version's first load.
  enum Outcome: String {
    /// The version works.
    case loaded
    /// The load failed with an error.
    case failed
    /// The load failed or crashed the process twice, so the device went back to the previous version.
    case left
  }

  /// The number of starts without a successful first load; the next start rolls back.
  static let mostStarts = 2
  private static let mostKept = 16

  var layout = StoreLayout.version
  var entry: Entry?
  /// The SHA-256 of versions that were loaded.
  var loaded: [String] = []
  /// The SHA-256 of abandoned versions, which no download installs again.
  var left: [String] = []
  var reports: [Report] = []

  /// Reads the record of a model; empty if it cannot be read.
  static func read(_ name: String, _ layout: StoreLayout) -> FirstLaunchRecord {
    // A damaged record never prevents loading, downloading or abandoning: it starts over.
    guard let json = try? FileSystem.contents(of: layout.firstLaunchRecord(name), limit: 1 << 16),
      let found = try? JSONValue.decode(FirstLaunchRecord.self, from: json),
      found.layout == StoreLayout.version
    else { return FirstLaunchRecord() }
    return found
  }

  /// Changes the record of a model while other processes are locked out.
  /// - Parameters:
  ///   - name: The model.
  ///   - layout: The layout of its store.
  ///   - body: The change.
  /// - Throws: `storeUnwritable`.
  static func change(
    _ name: String, _ layout: StoreLayout, _ body: (inout FirstLaunchRecord) -> Void
  ) throws(ModelStoreError) {
    // A missing model has no record.
    guard FileSystem.isFolder(layout.folder(name)) else { return }
    try layout.alone(name) { () throws(ModelStoreError) in
      let old = read(name, layout)
      var new = old
      body(&new)
      new.loaded = Array(new.loaded.suffix(mostKept))
      new.left = Array(new.left.suffix(mostKept))
      new.reports = Array(new.reports.suffix(mostKept))
      guard new != old else { return }
      try FileSystem.replace(layout.firstLaunchRecord(name), with: StoreJSON.encode(new))
    }
  }

  mutating func enter(_ sha256: String) {
    entry = Entry(sha256: sha256, starts: (entry?.sha256 == sha256 ? entry?.starts ?? 0 : 0) + 1)
  }

  mutating func strikeOut(_ sha256: String) {
    if entry?.sha256 == sha256 { entry = nil }
    if !loaded.contains(sha256) { loaded.append(sha256) }
  }

  /// Returns whether a version has used up its starts, so that the next one abandons it.
  func isSpent(_ sha256: String) -> Bool { entry?.sha256 == sha256 && entry?.starts ?? 0 >= Self.mostStarts }

  mutating func leave(_ sha256: String) {
    if entry?.sha256 == sha256 { entry = nil }
    if !left.contains(sha256) { left.append(sha256) }
  }

  /// Keeps an outcome for the host; a version without a number does not come from a host with versions.
  mutating func report(_ version: String?, _ outcome: Outcome) {
    guard let version else { return }
    let report = Report(version: version, outcome: outcome.rawValue)
    if !reports.contains(report) { reports.append(report) }
  }
}
