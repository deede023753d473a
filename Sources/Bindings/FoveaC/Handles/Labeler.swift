// SPDX-License-Identifier: Apache-2.0

package import CFovea
import Fovea
import FoveaCore

@c @implementation package func fovea_labeler_open(
  _ model: UnsafePointer<fovea_model>?, _ options: OpaquePointer?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  unsafe AnalyzerHandle.open(options, out) { (given) throws(FoveaError) in
    LabelerHandle(
      try BlockingAnalyzer(
        labeler: unsafe ModelSource.named(model) ?? .embedded(.classifier), given.labelerOptions()))
  }
}

@c @implementation package func fovea_label(
  _ labeler: OpaquePointer?, _ images: UnsafePointer<fovea_image>?, _ count: Int,
  _ call: UnsafePointer<fovea_call>?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  unsafe AnalyzerHandle.run(LabelerHandle.self, labeler, images, count, call, out)
}

@c @implementation package func fovea_labeler_class_count(_ labeler: OpaquePointer?) -> Int {
  unsafe Handle.find(LabelerHandle.self, labeler)?.classNames.count ?? 0
}

@c @implementation package func fovea_labeler_class_name(
  _ labeler: OpaquePointer?, _ index: Int
) -> UnsafePointer<CChar>? {
  unsafe AnalyzerHandle.text(Handle.find(LabelerHandle.self, labeler)?.classNames, index)
}

@c @implementation package func fovea_labeler_assumption_count(_ labeler: OpaquePointer?) -> Int {
  unsafe Handle.find(LabelerHandle.self, labeler)?.assumptions.count ?? 0
}

@c @implementation package func fovea_labeler_assumption(
  _ labeler: OpaquePointer?, _ index: Int
) -> UnsafePointer<CChar>? {
  unsafe AnalyzerHandle.text(Handle.find(LabelerHandle.self, labeler)?.assumptions, index)
}

@c @implementation package func fovea_labeler_close(_ labeler: OpaquePointer?) {
  unsafe AnalyzerHandle.close(LabelerHandle.self, labeler)
}
