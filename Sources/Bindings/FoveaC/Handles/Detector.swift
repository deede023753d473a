// SPDX-License-Identifier: Apache-2.0

package import CFovea
import Fovea
import FoveaCore

@c @implementation package func fovea_detector_open(
  _ model: UnsafePointer<fovea_model>?, _ options: OpaquePointer?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  unsafe failing { () throws(FoveaError) in
    let out = unsafe try CStruct.clear(out)
    let given = unsafe try OptionsObject.options(options)
    let detector = try BlockingDetector(
      model: unsafe ModelSource.named(model), options: given.detectorOptions())
    unsafe out.pointee = unsafe Handle.make(DetectorHandle(detector))
  }
}

@c @implementation package func fovea_detect(
  _ detector: OpaquePointer?, _ images: UnsafePointer<fovea_image>?, _ count: Int,
  _ call: UnsafePointer<fovea_call>?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  unsafe failing { () throws(FoveaError) in
    let out = unsafe try CStruct.clear(out)
    let handle = unsafe try Handle.get(DetectorHandle.self, detector, "detector")
    let batch = try Batch(
      handle.analyzer("detector"), unsafe ImageList(images, count), unsafe CallArgument(call))
    unsafe out.pointee = unsafe Handle.make(ResultObject(batch.run(), .objects))
  }
}

@c @implementation package func fovea_detector_class_count(_ detector: OpaquePointer?) -> Int {
  unsafe Handle.find(DetectorHandle.self, detector)?.classNames.count ?? 0
}

@c @implementation package func fovea_detector_class_name(
  _ detector: OpaquePointer?, _ index: Int
) -> UnsafePointer<CChar>? {
  unsafe AnalyzerHandle.text(Handle.find(DetectorHandle.self, detector)?.classNames, index)
}

@c @implementation package func fovea_detector_assumption_count(_ detector: OpaquePointer?) -> Int {
  unsafe Handle.find(DetectorHandle.self, detector)?.assumptions.count ?? 0
}

@c @implementation package func fovea_detector_assumption(
  _ detector: OpaquePointer?, _ index: Int
) -> UnsafePointer<CChar>? {
  unsafe AnalyzerHandle.text(Handle.find(DetectorHandle.self, detector)?.assumptions, index)
}

@c @implementation package func fovea_detector_close(_ detector: OpaquePointer?) {
  unsafe AnalyzerHandle.close(DetectorHandle.self, detector)
}
