// SPDX-License-Identifier: Apache-2.0

import FoveaModelFile

/// The error of a call; nil if it succeeds.
func failure<Result>(_ body: () throws(MetadataError) -> Result) -> MetadataError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error
  }
}
