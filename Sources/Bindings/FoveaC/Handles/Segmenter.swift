// SPDX-License-Identifier: Apache-2.0

package import CFovea
import Fovea
import FoveaCore

@c @implementation package func fovea_segmenter_open(
  _ model: UnsafePointer<fovea_model>?, _ options: OpaquePointer?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  unsafe AnalyzerHandle.open(options, out) { (given) throws(FoveaError) in
    guard let model = unsafe try ModelSource.named(model) else {
      throw .argument("'model' names no model, and none for maps is embedded", remedy: "Name a .tflite file")
    }
    return SegmenterHandle(try BlockingAnalyzer(segmenter: model, given.segmenterOptions()))
  }
}

@c @implementation package func fovea_segment(
  _ segmenter: OpaquePointer?, _ images: UnsafePointer<fovea_image>?, _ count: Int,
  _ call: UnsafePointer<fovea_call>?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  unsafe AnalyzerHandle.run(SegmenterHandle.self, segmenter, images, count, call, out)
}

@c @implementation package func fovea_segmenter_class_count(_ segmenter: OpaquePointer?) -> Int {
  unsafe Handle.find(SegmenterHandle.self, segmenter)?.classCount ?? 0
}

@c @implementation package func fovea_segmenter_class_name(
  _ segmenter: OpaquePointer?, _ index: Int
) -> UnsafePointer<CChar>? {
  unsafe AnalyzerHandle.text(Handle.find(SegmenterHandle.self, segmenter)?.classNames, index)
}

@c @implementation package func fovea_segmenter_assumption_count(_ segmenter: OpaquePointer?) -> Int {
  unsafe Handle.find(SegmenterHandle.self, segmenter)?.assumptions.count ?? 0
}

@c @implementation package func fovea_segmenter_assumption(
  _ segmenter: OpaquePointer?, _ index: Int
) -> UnsafePointer<CChar>? {
  unsafe AnalyzerHandle.text(Handle.find(SegmenterHandle.self, segmenter)?.assumptions, index)
}

@c @implementation package func fovea_segmenter_close(_ segmenter: OpaquePointer?) {
  unsafe AnalyzerHandle.close(SegmenterHandle.self, segmenter)
}
