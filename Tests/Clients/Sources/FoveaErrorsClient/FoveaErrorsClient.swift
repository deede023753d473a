// SPDX-License-Identifier: Apache-2.0

import FoveaErrors

func text<Code: FailureCode>(_ error: Failure<Code>) -> String { "[\(error.code)] \(error.remedy)" }
