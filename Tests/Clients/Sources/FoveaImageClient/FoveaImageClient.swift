// SPDX-License-Identifier: Apache-2.0

import FoveaImage

func width(of bytes: [UInt8]) throws(ImageError) -> Int {
  try EncodedImage(bytes: bytes, name: "bytes").size.width
}
