// SPDX-License-Identifier: Apache-2.0

import CFovea
import FoveaCore
import FoveaRuntime

@c @implementation package func fovea_version() -> UnsafePointer<CChar>? { unsafe version.pointer }

private let version = CText(FoveaVersion.current)

@c @implementation package func fovea_runtime_set(_ path: UnsafePointer<CChar>?) -> OpaquePointer? {
  unsafe failing { () throws(FoveaError) in
    guard let path = unsafe try CStruct.text(path, "path"), !path.isEmpty else {
      throw .argument("'path' is NULL or empty")
    }
    guard RuntimeLibrary.choose(path) else {
      throw .optionInvalid(
        "LiteRT was already looked up, and is not '\(path)'",
        remedy: "Call fovea_runtime_set before the first model is opened")
    }
  }
}

@c @implementation package func fovea_runtime_path(
  _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> OpaquePointer? {
  unsafe failing { () throws(FoveaError) in
    let out = unsafe try CStruct.clear(out)
    unsafe out.pointee = unsafe try runtimePath.get().pointer
  }
}

/// The path of the loaded library, which the first access loads.
private let runtimePath = Result<CText, FoveaError> { () throws(FoveaError) in
  do throws(RuntimeError) { return CText(try RuntimeLibrary.shared().path) } catch { throw FoveaError(error) }
}
