// SPDX-License-Identifier: Apache-2.0

// This module's API uses the types of FoveaImage.
@_exported public import FoveaImage
