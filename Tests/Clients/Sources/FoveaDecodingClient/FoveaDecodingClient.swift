// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding

let families = DetectorFamily.all.map(\.name)

func text(_ error: LabelingError) -> String { error.message }
