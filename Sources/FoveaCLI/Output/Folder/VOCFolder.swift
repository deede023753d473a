// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaSystem

/// Pascal VOC: `a.xml` for each image `a.jpg`.
struct VOCFolder: ResultFolder {
  let path: String

  private func file(of picture: InputPicture) -> String {
    ResultFile.path(path, ResultFile.name(of: picture, ending: ".xml"))
  }

  func write(_ findings: Findings, of picture: InputPicture) throws(FoveaError) {
    try ResultFile.write(VOCDocument(picture: picture, findings: findings).text, to: file(of: picture))
  }

  /// Whether the file is there, whole, and about this image: another folder's may have the same name.
  func isDone(_ picture: InputPicture) -> Bool {
    guard let bytes = try? SmallFile.bytes(of: file(of: picture), limit: 1 << 26) else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.hasSuffix(VOCDocument.end) && text.contains(VOCDocument.pathElement(of: picture))
  }
}
