// SPDX-License-Identifier: Apache-2.0

// The frames that sources give are FoveaImage's.
@_exported public import FoveaImage
