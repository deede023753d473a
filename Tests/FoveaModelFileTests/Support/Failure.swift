// SPDX-License-Identifier: Apache-2.0

import FoveaModelFile

/// The error that a call ends with; nil where it ends well.
func failure<Result>(_ body: () throws(MetadataError) -> Result) -> MetadataError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error
  }
}
