// SPDX-License-Identifier: Apache-2.0
#if Server
  import ArgumentParser
  internal import FoveaHTTP

  extension AccessLog: ExpressibleByArgument {}
#endif
