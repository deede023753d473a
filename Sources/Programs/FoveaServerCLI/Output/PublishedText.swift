// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import FoveaCore

extension HostAnswer.Published {
  /// What a publish has done, as one line.
  var line: String {
    let start = "\(model.printable) version \(version)"
    guard repeated == true else { return "\(start) is \(channel.printable)\n" }
    guard let before, before != version else {
      return "\(start) has these bytes already, and is \(channel.printable)"
        + (before == nil ? " now\n" : " still\n")
    }
    return
      "\(start) has these bytes already, and is \(channel.printable) again in place of version \(before)\n"
  }
}
#endif
