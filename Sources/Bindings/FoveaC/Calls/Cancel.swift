// SPDX-License-Identifier: Apache-2.0

import CFovea
import FoveaRuntime

@c @implementation package func fovea_cancel_new() -> OpaquePointer? {
  unsafe Handle.make(CancellationToken())
}

@c @implementation package func fovea_cancel_set(_ cancel: OpaquePointer?) {
  unsafe Handle.find(CancellationToken.self, cancel)?.cancel()
}

@c @implementation package func fovea_cancel_free(_ cancel: OpaquePointer?) {
  unsafe Handle.release(CancellationToken.self, cancel)
}
