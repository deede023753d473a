// SPDX-License-Identifier: Apache-2.0

import FoveaEvaluation

func text(_ error: EvaluationError) -> String { error.message }
