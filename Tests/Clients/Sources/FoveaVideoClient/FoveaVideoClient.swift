// SPDX-License-Identifier: Apache-2.0

import FoveaVideo

func frames(_ path: String) throws(FoveaError) -> Int {
  let reader = try VideoFile(path).open()
  var count = 0
  while let frame = try reader.next() { count = frame.number + 1 }
  return count
}
