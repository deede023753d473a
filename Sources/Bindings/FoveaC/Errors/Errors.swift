// SPDX-License-Identifier: Apache-2.0

import CFovea

@c @implementation package func fovea_error_code(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe Handle.find(ErrorObject.self, error)?.code.pointer ?? CText.empty.pointer
}

@c @implementation package func fovea_error_message(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe Handle.find(ErrorObject.self, error)?.message.pointer ?? CText.empty.pointer
}

@c @implementation package func fovea_error_remedy(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe Handle.find(ErrorObject.self, error)?.remedy.pointer ?? CText.empty.pointer
}

@c @implementation package func fovea_error_subject(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe Handle.find(ErrorObject.self, error)?.subject?.pointer
}

@c @implementation package func fovea_error_free(_ error: OpaquePointer?) {
  unsafe Handle.release(ErrorObject.self, error)
}
