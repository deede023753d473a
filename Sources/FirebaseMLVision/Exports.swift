// SPDX-License-Identifier: Apache-2.0

// The errors of calls are the same for all of Google's names.
@_exported public import FoveaCompatibility
