// SPDX-License-Identifier: Apache-2.0

// Sources return frames of FoveaImage.
@_exported public import FoveaImage
