// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

func inputs(_ path: String) throws(RuntimeError) -> [TensorDescription] {
  try Session(model: Model(path: path)).inputs
}
