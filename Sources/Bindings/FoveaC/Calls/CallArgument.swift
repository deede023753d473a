// SPDX-License-Identifier: Apache-2.0

import CFovea
import FoveaCore
import FoveaRuntime

/// The settings of a call from C.
@safe struct CallArgument {
  // SAFETY: the caller's function and its context; called on the caller's thread during the call.
  private let function: (@convention(c) (UnsafeMutableRawPointer?, Int, Int) -> Void)?
  private let context: UnsafeMutableRawPointer?
  /// The number of threads that share the images; 1 for only the caller's.
  let threads: Int
  let token: CancellationToken
  /// The stream that the image is the next frame of, and the time of the frame in seconds; nil for single
  /// images.
  let stream: (handle: StreamHandle, seconds: Double)?

  /// - Parameter argument: The caller's struct; nil for the defaults.
  /// - Throws: `argument-invalid`, `option-invalid`.
  init(_ argument: UnsafePointer<fovea_call>?) throws(FoveaError) {
    var call = unsafe fovea_call()
    if let argument = unsafe argument {
      unsafe try CStruct.read(argument, into: &call, minimum: 8, "fovea_call")
    }
    guard unsafe call.threads >= 0 else {
      throw .argument("'threads' is \(unsafe call.threads), 0 or more expected")
    }
    threads = unsafe max(Int(call.threads), 1)
    unsafe function = unsafe call.progress
    unsafe context = unsafe call.context
    token =
      unsafe call.cancel == nil
      ? CancellationToken() : unsafe try Handle.get(CancellationToken.self, call.cancel, "cancel")
    guard unsafe call.stream != nil else {
      stream = nil
      return
    }
    stream = (unsafe try Handle.get(StreamHandle.self, call.stream, "stream"), unsafe call.seconds)
  }

  /// Reports the number of finished images to the caller.
  func report(_ done: Int, of count: Int) { unsafe function?(context, done, count) }
}
