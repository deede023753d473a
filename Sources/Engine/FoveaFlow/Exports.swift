// SPDX-License-Identifier: Apache-2.0

// The types of this module's parameters and results are exported with it.
@_exported public import FoveaImage
