// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore

/// What a `fovea_detector` or a `fovea_labeler` points to.
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

  /// The analyzer, in the process that opened it.
  func analyzer(_ name: String) throws(FoveaError) -> any BlockingAnalyzer {
    try process.check(name)
    return analyzer
  }

  /// Ends the use of a handle; one of another process keeps its memory, whose locks may be held by threads that are not here.
  static func close<Kind: AnalyzerHandle>(_ type: Kind.Type, _ pointer: OpaquePointer?) {
    guard let handle = unsafe Handle.find(type, pointer), handle.process.isThis else { return }
    handle.analyzer.close()
    unsafe Handle.release(type, pointer)
  }

  /// A text of a list; nil beyond its end.
  static func text(_ texts: [CText]?, _ index: Int) -> UnsafePointer<CChar>? {
    guard let texts, texts.indices.contains(index) else { return nil }
    return unsafe texts[index].pointer
  }
}

/// What a `fovea_detector` points to.
final class DetectorHandle: AnalyzerHandle {}

/// What a `fovea_labeler` points to.
final class LabelerHandle: AnalyzerHandle {}
