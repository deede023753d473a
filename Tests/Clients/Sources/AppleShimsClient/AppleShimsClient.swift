// SPDX-License-Identifier: Apache-2.0

import AppleShims

func width(_ path: String) -> Int? { UIImage(contentsOfFile: path)?.cgImage?.width }
