// SPDX-License-Identifier: Apache-2.0

import FoveaFormats

let formats = DetectionFormat.all.map(\.name)
