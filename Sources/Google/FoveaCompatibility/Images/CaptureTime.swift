// SPDX-License-Identifier: Apache-2.0

package import AppleShims

extension CMSampleBuffer {
  /// The capture time in seconds; nil if the buffer has none.
  package var captureSeconds: Double? {
    let time = presentationTimeStamp
    return time.isNumeric ? time.seconds : nil
  }
}
