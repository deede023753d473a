// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaHTTP

extension ListenAddress: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }

  package var defaultValueDescription: String { description }

  /// Reads an option that only `--help-hidden` shows: ArgumentParser does not describe what those take.
  /// - Throws: `ValidationError` with the form.
  init(option text: String) throws {
    guard let address = ListenAddress(text) else {
      throw ValidationError("Give a host and a port, as 127.0.0.1:9090.")
    }
    self = address
  }
}
#endif
