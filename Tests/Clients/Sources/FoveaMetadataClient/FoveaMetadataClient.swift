// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata

func outputs(_ bytes: [UInt8]) throws(MetadataError) -> Int {
  try ModelMetadata.read(bytes)?.outputs.count ?? 0
}
