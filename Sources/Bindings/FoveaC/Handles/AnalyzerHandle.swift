// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore

/// The object behind a detector, labeler, segmenter or embedder of C.
class AnalyzerHandle {
  private let process = OwnProcess()
  private let analyzer: any BlockingAnalyzer
  let classNames: [CText]
  let assumptions: [CText]

  init(_ analyzer: any BlockingAnalyzer) {
    self.analyzer = analyzer
    classNames = analyzer.classNames.map { CText($0) }
    assumptions = analyzer.assumptions.map { CText($0.text(\.c)) }
  }

  /// Returns the analyzer; throws outside the process that opened it.
  func analyzer(_ name: String) throws(FoveaError) -> any BlockingAnalyzer {
    try process.check(name)
    return analyzer
  }

  /// Closes a handle, unless it was opened by another process: threads of that process may hold its locks,
  /// but they do not exist in this one.
  static func close<Kind: AnalyzerHandle>(_ type: Kind.Type, _ pointer: OpaquePointer?) {
    guard let handle = unsafe Handle.find(type, pointer), handle.process.isThis else { return }
    handle.analyzer.close()
    unsafe Handle.release(type, pointer)
  }

  /// Returns a string of a list; nil if the index is out of range.
  static func text(_ texts: [CText]?, _ index: Int) -> UnsafePointer<CChar>? {
    guard let texts, texts.indices.contains(index) else { return nil }
    return unsafe texts[index].pointer
  }
}

/// The object behind a `fovea_detector`.
final class DetectorHandle: AnalyzerHandle {}

/// The object behind a `fovea_labeler`.
final class LabelerHandle: AnalyzerHandle {}

/// The object behind a `fovea_segmenter`.
final class SegmenterHandle: AnalyzerHandle {
  let classCount: Int

  init(_ segmenter: BlockingSegmenter) {
    classCount = segmenter.classCount
    super.init(segmenter)
  }
}

/// The object behind a `fovea_embedder`.
final class EmbedderHandle: AnalyzerHandle {
  let dimension: Int

  init(_ embedder: BlockingEmbedder) {
    dimension = embedder.dimension
    super.init(embedder)
  }
}
