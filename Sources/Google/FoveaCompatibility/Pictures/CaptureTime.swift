// SPDX-License-Identifier: Apache-2.0

package import AppleShims

extension CMSampleBuffer {
  /// When the frame was taken, in seconds; nil where the buffer does not say it.
  package var captureSeconds: Double? {
    let time = presentationTimeStamp
    return time.isNumeric ? time.seconds : nil
  }
}
