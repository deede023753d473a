// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
import FoveaEvaluation

/// The files that belong together: for each sequence the ground truth, facts about the video, and results.
package struct TrackingSources {
  struct Sequence: Equatable {
    var name: String
    var groundTruth: String
    /// The `seqinfo.ini`, if there is one.
    var info: String?
    var results: String
  }

  /// The sequences, in natural order of their names.
  private(set) var sequences: [Sequence] = []
  /// Notes to show: results without ground truth.
  private(set) var notes: [String] = []

  /// Finds the sequences.
  /// - Parameters:
  ///   - groundTruth: A folder of `SEQUENCE/gt/gt.txt` or of `SEQUENCE.txt`, the folder of one sequence, or
  ///     one file.
  ///   - results: A folder of `SEQUENCE.txt`, or one file next to one sequence.
  ///   - names: Only these sequences; nil for all.
  /// - Throws: `evaluation-unreadable`, or `evaluation-sequence-mismatch` if no results match.
  package init(groundTruth: String, results: String, only names: [String]? = nil) throws(FoveaError) {
    try TrackingSources.checkExists(groundTruth)
    try TrackingSources.checkExists(results)
    var found = try TrackingSources.truths(groundTruth)
    if let names { found = try TrackingSources.choose(names, from: found, in: groundTruth) }
    if TrackingSources.isFile(results) {
      guard found.count == 1 else {
        throw FoveaError(
          FoveaCode(EvaluationCode.sequenceMismatch),
          "'\(results)' is one file of results, but '\(groundTruth)' has \(found.count) sequences",
          remedy: "Name a folder of results, or one sequence with \(term: .sequences)")
      }
      found[0].results = results
    } else {
      for index in found.indices {
        found[index].results = TrackingSources.file(of: found[index].name, in: results)
      }
      if !found.contains(where: { TrackingSources.isFile($0.results) }) {
        try TrackingSources.refuseBoxFolder(results, .results)
      }
      if names == nil { try noteStrangers(results, known: Set(found.map(\.name))) }
    }
    sequences = found
  }

  private mutating func noteStrangers(_ results: String, known: Set<String>) throws(FoveaError) {
    let strangers = try TrackingSources.names(results).compactMap(TrackingSources.stem)
      .filter { !known.contains($0) }
    guard !strangers.isEmpty else { return }
    let list = strangers.prefix(5).joined(separator: ", ") + (strangers.count > 5 ? ", …" : "")
    notes.append("results without ground truth are left out: \(list)")
  }

  // MARK: Ground truth

  private static func truths(_ path: String) throws(FoveaError) -> [Sequence] {
    if TrackingSources.isFile(path) { return [single(path)] }
    if let own = sequence(path, name: FilePath(path).lastComponent) { return [own] }
    let names = try names(path)
    let folders = names.compactMap { sequence(FilePath.joined(path, $0), name: $0) }
    if !folders.isEmpty { return folders }
    let files = names.compactMap { name in
      stem(name).map { Sequence(name: $0, groundTruth: FilePath.joined(path, name), results: "") }
    }
    // A sequence's file may have others next to it, such as UA-DETRAC's XML; `classes.txt` of YOLO or a
    // readme is not one.
    if !files.contains(where: { $0.name != "classes" && mayHaveTracks($0.groundTruth) }) {
      try refuseBoxFolder(path, .groundTruth)
    }
    guard !files.isEmpty else {
      throw FoveaError(
        FoveaCode(EvaluationCode.sequenceMismatch),
        "'\(path)' has no ground truth: neither SEQUENCE/gt/gt.txt nor SEQUENCE.txt",
        remedy: "Name the folder that holds the sequences' folders, such as MOT17/train")
    }
    return files
  }

  /// Returns the sequence in a folder with `gt/gt.txt`.
  private static func sequence(_ folder: String, name: String) -> Sequence? {
    let truth = FilePath.joined(folder, "gt/gt.txt")
    guard TrackingSources.isFile(truth) else { return nil }
    let info = FilePath.joined(folder, "seqinfo.ini")
    return Sequence(
      name: name, groundTruth: truth, info: TrackingSources.isFile(info) ? info : nil, results: "")
  }

  /// Returns the sequence of one file, which may be `SEQUENCE/gt/gt.txt`.
  private static func single(_ path: String) -> Sequence {
    let parent = FilePath(path).parent
    let folder = FilePath(parent).parent
    if FilePath(path).lastComponent == "gt.txt", FilePath(parent).lastComponent == "gt",
      let whole = sequence(folder, name: FilePath(folder).lastComponent)
    {
      return whole
    }
    let name = FilePath(path).lastComponent
    return Sequence(name: stem(name) ?? name, groundTruth: path, results: "")
  }

  private static func choose(
    _ names: [String], from found: [Sequence], in path: String
  ) throws(FoveaError) -> [Sequence] {
    for name in names where !found.contains(where: { $0.name == name }) {
      let known = found.prefix(12).map(\.name).joined(separator: ", ") + (found.count > 12 ? ", …" : "")
      throw FoveaError(
        FoveaCode(EvaluationCode.sequenceMismatch),
        "'\(path)' has no sequence '\(name)', only \(known)",
        remedy: "Correct \(term: .sequences)")
    }
    return found.filter { names.contains($0.name) }
  }

  // MARK: Files

  static func isFile(_ path: String) -> Bool {
    FileStatus(FilePath(path)).map { $0.kind != .folder } ?? false
  }

  /// The extensions of track files: MOTChallenge's, and those that `fovea track` writes.
  private static let endings = [".txt", ".jsonl", ".ndjson", ".csv"]

  /// Returns the file with the results of a sequence: the first that exists, otherwise the usual name.
  private static func file(of name: String, in folder: String) -> String {
    let files = endings.map { FilePath.joined(folder, name + $0) }
    return files.first(where: isFile) ?? files[0]
  }

  /// Whether a file may have tracks, judged by its first line: six columns or more, starting with a number.
  private static func mayHaveTracks(_ path: String) -> Bool {
    guard FileStatus(FilePath(path))?.kind == .file else { return true }
    var start = [UInt8](repeating: 0, count: ResultKind.startLength)
    guard let source = try? ByteSource(path: path), let count = try? source.read(into: &start, from: 0),
      ResultKind(start: Array(start[..<count])) == .other
    else { return true }
    let text = start[..<count].drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    guard let first = text.first else { return true }
    let fields = text.prefix { $0 != 0x0A && $0 != 0x0D }
      .split { $0 == UInt8(ascii: ",") || $0 <= 0x20 }
    return fields.count >= 6 && (first == UInt8(ascii: "-") || (0x30...0x39).contains(first))
  }

  /// Throws if the names in a folder show the form of Pascal VOC or YOLO.
  private static func refuseBoxFolder(_ path: String, _ content: MOTReader.Content) throws(FoveaError) {
    guard let form = ResultKind.form(ofFolder: path, names: try names(path)) else { return }
    throw FoveaError(
      TrackFile.noFrames(path, content, "is a folder in the form of \(form), whose boxes have no identity"))
  }

  private static func stem(_ name: String) -> String? {
    endings.first { name.hasSuffix($0) && name.count > $0.count }.map { String(name.dropLast($0.count)) }
  }

  private static func names(_ folder: String) throws(FoveaError) -> [String] {
    do throws(SystemError) {
      return try Folder.names(in: folder).sorted {
        NaturalOrder.precedes(Array($0.utf8)[...], Array($1.utf8)[...])
      }
    } catch {
      throw unreadable(folder, error)
    }
  }

  private static func checkExists(_ path: String) throws(FoveaError) {
    if FileStatus(FilePath(path)) == nil { throw unreadable(path, SystemError(errno)) }
  }

  private static func unreadable(_ path: String, _ error: SystemError) -> FoveaError {
    FoveaError(
      FoveaCode(EvaluationCode.unreadable),
      "'\(path)' cannot be read: \(error.message)",
      remedy: "Check the path and its permissions")
  }
}
