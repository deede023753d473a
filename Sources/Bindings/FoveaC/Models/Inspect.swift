// SPDX-License-Identifier: Apache-2.0

package import CFovea
import Fovea
import FoveaCore
import FoveaModelRules

@c @implementation package func fovea_inspect(
  _ model: UnsafePointer<fovea_model>?, _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OpaquePointer? {
  unsafe failing { () throws(FoveaError) in
    let out = unsafe try CStruct.clear(out)
    let source = unsafe try ModelSource.named(model) ?? .embedded(.detector)
    let report = try ModelReport(source, options: ObjectDetector.Options(), words: { $0.text(\.c) })
    unsafe out.pointee = unsafe try CText.copy(report.json)
  }
}

@c @implementation package func fovea_string_free(_ text: UnsafeMutablePointer<CChar>?) { unsafe free(text) }
