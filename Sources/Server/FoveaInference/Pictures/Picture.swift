// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea

/// An encoded image that a request carries.
struct Picture: Sendable {
  /// What errors call it: its name is the caller's, and stands in the answer.
  static let subject = "the image"

  /// What the answer calls it; `-` where the caller gave no name.
  var name: String
  var bytes: [UInt8]
}

/// The images of a request and what it asks for.
struct PictureRequest: Sendable {
  var pictures: [Picture]
  /// Whether the answer is a list, also where there is one image.
  var isList = false
  /// Whether it names an address to fetch an image from.
  var namesAddress = false
  var options: [(name: String, value: OptionValue)]
}
#endif
