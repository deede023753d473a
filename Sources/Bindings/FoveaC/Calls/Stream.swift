// SPDX-License-Identifier: Apache-2.0

import CFovea
import Fovea
import FoveaCore

/// The object behind a `fovea_stream`.
final class StreamHandle {
  private let use = SoleUse(of: "stream")
  private var memory = StreamMemory()

  /// Calls `body` with the memory for the frame at a time.
  /// - Throws: `busy`, `wrong-process`, and the errors of `body`.
  func next<R>(
    at seconds: Double, _ body: (inout StreamMemory) throws(FoveaError) -> R
  ) throws(FoveaError) -> R {
    try use.alone { () throws(FoveaError) in
      memory = memory.at(seconds)
      return try body(&memory)
    }
  }
}

@c @implementation package func fovea_stream_new() -> OpaquePointer? { unsafe Handle.make(StreamHandle()) }

@c @implementation package func fovea_stream_free(_ stream: OpaquePointer?) {
  unsafe Handle.release(StreamHandle.self, stream)
}
