// SPDX-License-Identifier: Apache-2.0

import FoveaDetection

let families = DetectorFamily.all.map(\.name)
