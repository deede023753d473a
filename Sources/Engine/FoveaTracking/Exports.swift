// SPDX-License-Identifier: Apache-2.0

// The types that this module takes and gives come with it.
@_exported public import FoveaGeometry
