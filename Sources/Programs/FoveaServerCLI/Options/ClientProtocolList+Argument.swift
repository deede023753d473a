// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaInference

extension ClientProtocolList {
  /// Reads an option that only `--help-hidden` shows: ArgumentParser does not describe what those take.
  /// - Throws: `ValidationError` with the names that there are.
  init(option text: String) throws {
    guard let list = ClientProtocolList(text) else {
      let names = ClientProtocol.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("Give names with commas between them: \(names), all, or none.")
    }
    self = list
  }
}
#endif
