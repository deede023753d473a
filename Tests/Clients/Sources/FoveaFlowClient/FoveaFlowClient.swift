// SPDX-License-Identifier: Apache-2.0

import FoveaFlow

func text(_ error: FlowError) -> String { error.message }
