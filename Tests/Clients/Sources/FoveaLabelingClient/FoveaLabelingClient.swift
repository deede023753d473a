// SPDX-License-Identifier: Apache-2.0

import FoveaLabeling

func text(_ error: LabelingError) -> String { error.message }
