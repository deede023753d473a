// SPDX-License-Identifier: Apache-2.0

import FoveaModelFile

func repairs(_ bytes: [UInt8]) throws(MetadataError) -> Int { try ModelGraphCheck.check(bytes.span).count }
