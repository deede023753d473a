// SPDX-License-Identifier: Apache-2.0

package import CFovea
import Fovea
import FoveaCore
import FoveaTraining

@c @implementation package func fovea_quantize(
  _ model: UnsafePointer<fovea_model>?, _ options: OpaquePointer?, _ photos: UnsafePointer<fovea_image>?,
  _ count: Int, _ call: UnsafePointer<fovea_call>?,
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, _ length: UnsafeMutablePointer<Int>?,
  _ report: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OpaquePointer? {
  unsafe failing { () throws(FoveaError) in
    let (out, report) = unsafe (try CStruct.clear(out), try CStruct.clear(report, "report"))
    guard let length = unsafe length else { throw .argument("'length' is NULL") }
    unsafe length.pointee = 0
    let source = unsafe try ModelSource.required(model, "model")
    let rules = unsafe try OptionsObject.options(options).quantizerOptions()
    let call = unsafe try CallArgument(call)
    let quantizer = try Quantizer(
      source, photos: unsafe ImageList(photos, count).comparedPhotos(), options: rules)
    let made = try quantizer.run(outputName: "the int8 model", cancelledBy: call.token) { step in
      call.report(part: step.part)
    }
    let text = unsafe try CText.copy(
      JSONText.line(capacity: 4096) { json in
        json.member("schema", "quantize/1")
        made.appendMembers(to: &json)
        json.member("errors", errors: made.errors)
      })
    guard let bytes = unsafe malloc(made.bytes.count)?.assumingMemoryBound(to: UInt8.self) else {
      unsafe free(text)
      throw CText.noMemory(made.bytes.count)
    }
    unsafe bytes.initialize(from: made.bytes, count: made.bytes.count)
    unsafe (out.pointee, length.pointee, report.pointee) = (bytes, made.bytes.count, text)
  }
}
