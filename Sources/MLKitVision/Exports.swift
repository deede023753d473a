// SPDX-License-Identifier: Apache-2.0

// The errors of calls, and the normalisation that options of custom models take, are the same for all of Google's names.
@_exported public import FoveaCompatibility
