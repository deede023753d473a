// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// `trial.json`: which version was not loaded yet, which were left, and what the host is to hear of it.
///
/// A version that was never loaded is entered before its first load and struck out after it. One that is found entered
/// at the third start has ended the process twice: it is left for the version before it.
struct Trials: Codable, Hashable {
  /// A version that is being loaded for the first time.
  struct Entry: Codable, Hashable {
    var sha256: String
    /// How many processes began to load it.
    var starts: Int
  }

  /// What a host is to hear: a version and how its load ended, nothing else.
  struct Report: Codable, Hashable {
    var version: String
    var outcome: String
  }

  /// How the first load of a version ended.
  enum Outcome: String {
    /// It can be used.
    case loaded
    /// It ended with an error.
    case failed
    /// It ended the process, twice, so that the device went back to the version before.
    case left
  }

  /// After so many starts that did not outlive the first load, the next one goes back.
  static let mostStarts = 2
  private static let mostKept = 16

  var layout = StoreLayout.version
  var entry: Entry?
  /// The SHA-256 of versions that were loaded.
  var loaded: [String] = []
  /// The SHA-256 of versions that were left, which no download brings back.
  var left: [String] = []
  var reports: [Report] = []

  /// The notes on a model; empty if they cannot be read.
  static func read(_ name: String, _ layout: StoreLayout) -> Trials {
    // Notes that are damaged keep no model from being loaded, downloaded or left: they begin again.
    guard let json = try? FileSystem.contents(of: layout.trials(name), limit: 1 << 16),
      let found = try? JSONValue.decode(Trials.self, from: json),
      found.layout == StoreLayout.version
    else { return Trials() }
    return found
  }

  /// Changes what is known, while no one else does.
  /// - Parameters:
  ///   - name: The model.
  ///   - layout: Where its store is.
  ///   - body: The change.
  /// - Throws: `storeUnwritable`.
  static func change(
    _ name: String, _ layout: StoreLayout, _ body: (inout Trials) -> Void
  ) throws(ModelStoreError) {
    // Nothing is known of a model that is not there.
    guard FileSystem.isFolder(layout.folder(name)) else { return }
    try layout.alone(name) { () throws(ModelStoreError) in
      let old = read(name, layout)
      var new = old
      body(&new)
      new.loaded = Array(new.loaded.suffix(mostKept))
      new.left = Array(new.left.suffix(mostKept))
      new.reports = Array(new.reports.suffix(mostKept))
      guard new != old else { return }
      try FileSystem.replace(layout.trials(name), with: StoreJSON.encode(new))
    }
  }

  mutating func enter(_ sha256: String) {
    entry = Entry(sha256: sha256, starts: (entry?.sha256 == sha256 ? entry?.starts ?? 0 : 0) + 1)
  }

  mutating func strikeOut(_ sha256: String) {
    if entry?.sha256 == sha256 { entry = nil }
    if !loaded.contains(sha256) { loaded.append(sha256) }
  }

  /// Whether so many starts ended in the first load of a version that the next one leaves it.
  func isSpent(_ sha256: String) -> Bool { entry?.sha256 == sha256 && entry?.starts ?? 0 >= Self.mostStarts }

  mutating func leave(_ sha256: String) {
    if entry?.sha256 == sha256 { entry = nil }
    if !left.contains(sha256) { left.append(sha256) }
  }

  /// Keeps an outcome for the host; a version without a number is not a host's.
  mutating func report(_ version: String?, _ outcome: Outcome) {
    guard let version else { return }
    let report = Report(version: version, outcome: outcome.rawValue)
    if !reports.contains(report) { reports.append(report) }
  }
}
