// SPDX-License-Identifier: Apache-2.0

package import CFovea
import Fovea
import FoveaCore

@c @implementation package func fovea_detector_open(
  _ model: UnsafePointer<fovea_model>?, _ options: OpaquePointer?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  unsafe AnalyzerHandle.open(options, out) { (given) throws(FoveaError) in
    DetectorHandle(
      try BlockingAnalyzer(detector: unsafe ModelSource.named(model), given.detectorOptions()))
  }
}

@c @implementation package func fovea_detect(
  _ detector: OpaquePointer?, _ images: UnsafePointer<fovea_image>?, _ count: Int,
  _ call: UnsafePointer<fovea_call>?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  unsafe AnalyzerHandle.run(DetectorHandle.self, detector, images, count, call, out)
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
