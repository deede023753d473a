// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaHTTP

extension AccessLog: ExpressibleByArgument {}
#endif
