// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// What a `fovea_options` points to.
final class OptionsObject {
  var values = OptionValues()

  /// What options say; nothing for NULL.
  static func values(_ options: OpaquePointer?) throws(FoveaError) -> OptionValues {
    unsafe options == nil
      ? OptionValues() : unsafe try Handle.get(OptionsObject.self, options, "options").values
  }
}
