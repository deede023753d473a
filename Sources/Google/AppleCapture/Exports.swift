// SPDX-License-Identifier: Apache-2.0

// The samples that a session delivers are those of AppleShims.
@_exported public import AppleShims
