// SPDX-License-Identifier: Apache-2.0

import FoveaModels

func names() throws(ModelStoreError) -> [String] { try ModelCatalogue.standard().entries.map(\.name) }
