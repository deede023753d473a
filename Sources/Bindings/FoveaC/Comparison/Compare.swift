// SPDX-License-Identifier: Apache-2.0

package import CFovea
import Fovea
import FoveaCore
import FoveaTraining

@c @implementation package func fovea_compare(
  _ first: UnsafePointer<fovea_model>?, _ second: UnsafePointer<fovea_model>?, _ options: OpaquePointer?,
  _ photos: UnsafePointer<fovea_image>?, _ count: Int, _ call: UnsafePointer<fovea_call>?,
  _ report: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OpaquePointer? {
  unsafe failing { () throws(FoveaError) in
    let report = unsafe try CStruct.clear(report, "report")
    let first = unsafe try ModelSource.required(first, "first")
    let second = unsafe try ModelSource.required(second, "second")
    let given = unsafe try OptionsObject.options(options)
    let call = unsafe try CallArgument(call)
    let photos = try unsafe ImageList(photos, count).comparedPhotos()
    let comparison = try ModelComparison(
      first, second, groundTruth: given.groundTruth, options: given.comparisonOptions())
    let compared = try comparison.run(photos, cancelledBy: call.token) { call.report($0, of: count) }
    unsafe report.pointee = unsafe try CText.copy(
      JSONText.line(capacity: 1024) { json in
        json.member("schema", "compare/1")
        compared.appendMembers(to: &json)
        json.member("errors", errors: compared.errors)
      })
  }
}
