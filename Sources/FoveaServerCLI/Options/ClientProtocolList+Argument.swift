// SPDX-License-Identifier: Apache-2.0
#if Server
  import ArgumentParser
  internal import FoveaServer

  extension ClientProtocolList: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
  }
#endif
