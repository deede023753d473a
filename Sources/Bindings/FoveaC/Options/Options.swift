// SPDX-License-Identifier: Apache-2.0

import CFovea
import FoveaCore

@c @implementation package func fovea_options_new(
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  unsafe failing { () throws(FoveaError) in
    let out = unsafe try CStruct.clear(out)
    unsafe out.pointee = unsafe Handle.make(OptionsObject())
  }
}

@c @implementation package func fovea_options_set(
  _ options: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?
) -> OpaquePointer? {
  unsafe failing { () throws(FoveaError) in
    let object = unsafe try Handle.get(OptionsObject.self, options, "options")
    guard let name = unsafe try CStruct.text(name, "name") else { throw .argument("'name' is NULL") }
    guard let value = unsafe try CStruct.text(value, "value") else {
      throw .argument("'value' of the option '\(name.prefix(80))' is NULL")
    }
    try object.set(name, value)
  }
}

@c @implementation package func fovea_options_free(_ options: OpaquePointer?) {
  unsafe Handle.release(OptionsObject.self, options)
}
