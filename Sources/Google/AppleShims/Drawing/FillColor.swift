// SPDX-License-Identifier: Apache-2.0

/// A colour, multiplied by its alpha; each component 0…255.
struct FillColor: Equatable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8
  var alpha: UInt8

  /// The brightness, computed from red, green and blue with the weights of BT.601.
  var grey: UInt8 {
    let (red, green, blue) = (77 * UInt32(red), 150 * UInt32(green), 29 * UInt32(blue))
    return UInt8((red + green + blue + 128) >> 8)
  }
}

extension BitmapLayout {
  /// Blends a colour over a pixel.
  func blend(_ color: FillColor, over pixel: UnsafeMutableRawPointer) {
    let rest = 255 - color.alpha
    func mix(_ value: UInt8, _ offset: Int) {
      let below = rest == 0 ? 0 : unsafe pixel.load(fromByteOffset: offset, as: UInt8.self)
      let (sum, overflow) = value.addingReportingOverflow(below.multiplied(by: rest))
      unsafe pixel.storeBytes(of: overflow ? 255 : sum, toByteOffset: offset, as: UInt8.self)
    }
    if isGrey {
      mix(color.grey, 0)
      return
    }
    mix(color.red, channels.red)
    mix(color.green, channels.green)
    mix(color.blue, channels.blue)
    guard let fourth = channels.fourth else { return }
    if alphaInfo.isTransparent {
      mix(color.alpha, fourth)
    } else {
      unsafe pixel.storeBytes(of: 255, toByteOffset: fourth, as: UInt8.self)
    }
  }
}
