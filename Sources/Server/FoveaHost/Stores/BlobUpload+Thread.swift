// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension BlobUpload {
  /// Appends a part of a body, on a thread of its own: a disk that hangs must not hold up the requests that need none.
  package func append(part bytes: [UInt8]) async throws(HostError) {
    try await BlockingWork.run { _ throws(HostError) -> Void in
      // SAFETY: the upload only reads the bytes, and keeps none.
      let written = unsafe bytes.withUnsafeBytes { bytes in
        Result { () throws(HostError) -> Void in try unsafe self.append(bytes) }
      }
      try written.get()
    }
  }

  /// Removes the bytes, on a thread of its own as well.
  package func discard() async {
    await BlockingWork.run { _ in self.cancel() }
  }
}
#endif
