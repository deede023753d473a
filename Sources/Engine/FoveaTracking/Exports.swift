// SPDX-License-Identifier: Apache-2.0

// The types in this module's interface are exported with it.
@_exported public import FoveaGeometry
