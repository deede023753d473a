// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

let box = BoundingBox(x: 1, y: 2, width: 3, height: 4)
let area = box.width * box.height
