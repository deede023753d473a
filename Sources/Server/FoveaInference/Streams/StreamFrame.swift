// SPDX-License-Identifier: Apache-2.0
#if Server
import Hummingbird

/// A frame in the forms that viewers get; all of them share its bytes.
struct StreamFrame: Sendable {
  let number: Int
  /// The line that `fovea track --format jsonl` prints, with its end.
  let line: ByteBuffer
  /// Length, JSON and JPEG for WebSockets; nil where none watched when the frame was taken.
  let message: ByteBuffer?
  /// A JPEG with boxes; nil where no one watched for it when the frame was taken.
  let annotated: ByteBuffer?

  /// A message: the length of the JSON in four bytes, little endian, the JSON, the image.
  static func message(_ json: String, _ image: [UInt8]) -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.reserveCapacity(4 + json.utf8.count + image.count)
    buffer.writeInteger(UInt32(json.utf8.count), endianness: .little)
    buffer.writeString(json)
    buffer.writeBytes(image)
    return buffer
  }
}
#endif
