// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension JSONText {
  /// One object on one line.
  static func line(_ members: (inout JSONText) -> Void) -> String {
    var json = JSONText()
    json.object(members)
    json.endLine()
    return json.text
  }
}
#endif
