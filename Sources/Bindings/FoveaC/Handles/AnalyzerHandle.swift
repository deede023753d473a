// SPDX-License-Identifier: Apache-2.0

import CFovea
import Fovea
import FoveaCore

/// The object behind a detector, labeler, segmenter or embedder of C.
class AnalyzerHandle {
  private let process = OwnProcess()
  private let analyzer: BlockingAnalyzer
  private let content: ResultColumns.Content
  let classNames: [CText]
  let assumptions: [CText]

  /// The name of the kind in errors.
  class var name: String { "handle" }

  init(_ analyzer: BlockingAnalyzer, _ content: ResultColumns.Content) {
    self.analyzer = analyzer
    self.content = content
    classNames = analyzer.classNames.map { CText($0) }
    assumptions = analyzer.assumptions.map { CText($0.text(\.c)) }
  }

  /// Opens a handle with a caller's options.
  /// - Parameters:
  ///   - options: The options; nil for the defaults.
  ///   - out: Set to the handle.
  ///   - make: Creates the object behind the handle.
  /// - Returns: The error for C; nil on success.
  static func open(
    _ options: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ make: (NamedOptions) throws(FoveaError) -> AnalyzerHandle
  ) -> OpaquePointer? {
    unsafe failing { () throws(FoveaError) in
      let out = unsafe try CStruct.clear(out)
      let given = unsafe try OptionsObject.options(options)
      unsafe out.pointee = unsafe Handle.make(try make(given))
    }
  }

  /// Processes a caller's images.
  /// - Parameters:
  ///   - type: The kind of the handle.
  ///   - pointer: The handle.
  ///   - images: The images.
  ///   - count: The number of images.
  ///   - call: The settings of the call; nil for the defaults.
  ///   - out: Set to the result.
  /// - Returns: The error for C; nil on success.
  static func run<Kind: AnalyzerHandle>(
    _ type: Kind.Type, _ pointer: OpaquePointer?, _ images: UnsafePointer<fovea_image>?, _ count: Int,
    _ call: UnsafePointer<fovea_call>?, _ out: UnsafeMutablePointer<OpaquePointer?>?
  ) -> OpaquePointer? {
    unsafe failing { () throws(FoveaError) in
      let out = unsafe try CStruct.clear(out)
      let handle = unsafe try Handle.get(type, pointer, type.name)
      // Threads of the process that opened it do not exist in another one.
      try handle.process.check(type.name)
      let call = unsafe try CallArgument(call)
      guard call.stream == nil || type is DetectorHandle.Type && count == 1 else {
        throw .argument(
          "'stream' is set for \(count) images of a \(type.name); it is for one image of a detector")
      }
      let batch = try Batch(handle.analyzer, unsafe ImageList(images, count), call)
      unsafe out.pointee = unsafe Handle.make(ResultObject(batch.run(), handle.content))
    }
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
final class DetectorHandle: AnalyzerHandle {
  override class var name: String { "detector" }

  init(_ detector: BlockingAnalyzer) { super.init(detector, .objects) }
}

/// The object behind a `fovea_labeler`.
final class LabelerHandle: AnalyzerHandle {
  override class var name: String { "labeler" }

  init(_ labeler: BlockingAnalyzer) { super.init(labeler, .labels) }
}

/// The object behind a `fovea_segmenter`.
final class SegmenterHandle: AnalyzerHandle {
  let classCount: Int

  override class var name: String { "segmenter" }

  init(_ segmenter: BlockingAnalyzer) {
    classCount = segmenter.valueCount
    super.init(segmenter, .maps(classCount: classCount))
  }
}

/// The object behind a `fovea_embedder`.
final class EmbedderHandle: AnalyzerHandle {
  let dimension: Int

  override class var name: String { "embedder" }

  init(_ embedder: BlockingAnalyzer) {
    dimension = embedder.valueCount
    super.init(embedder, .features(dimension: dimension))
  }
}
