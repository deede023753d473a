// SPDX-License-Identifier: Apache-2.0
#if Server
  import ArgumentParser
  internal import FoveaHTTP

  extension ListenAddress: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }

    package var defaultValueDescription: String { description }
  }
#endif
