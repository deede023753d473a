// SPDX-License-Identifier: Apache-2.0

package import CFovea
import Fovea
import FoveaCore

@c @implementation package func fovea_segmenter_open(
  _ model: UnsafePointer<fovea_model>?, _ options: OpaquePointer?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  unsafe failing { () throws(FoveaError) in
    let out = unsafe try CStruct.clear(out)
    let given = unsafe try OptionsObject.options(options)
    guard let model = unsafe try ModelSource.named(model) else {
      throw .argument("'model' names no model, and none for maps is embedded", remedy: "Name a .tflite file")
    }
    let segmenter = try BlockingSegmenter(model: model, options: given.segmenterOptions())
    unsafe out.pointee = unsafe Handle.make(SegmenterHandle(segmenter))
  }
}

@c @implementation package func fovea_segment(
  _ segmenter: OpaquePointer?, _ images: UnsafePointer<fovea_image>?, _ count: Int,
  _ call: UnsafePointer<fovea_call>?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  unsafe failing { () throws(FoveaError) in
    let out = unsafe try CStruct.clear(out)
    let handle = unsafe try Handle.get(SegmenterHandle.self, segmenter, "segmenter")
    let batch = try Batch(
      handle.analyzer("segmenter"), unsafe ImageList(images, count), unsafe CallArgument(call))
    unsafe out.pointee = unsafe Handle.make(ResultObject(batch.run(), .maps(classCount: handle.classCount)))
  }
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
