// SPDX-License-Identifier: Apache-2.0

import FoveaModelRules

func broken(_ path: String) throws(FoveaError) -> Int {
  try CompatibilityReport(of: .file(path)).broken.count
}
