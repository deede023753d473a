// SPDX-License-Identifier: Apache-2.0

// `import Fovea` is enough: the layers whose types appear in its API come with it, whole, because under
// `MemberImportVisibility` a type exported alone would come without its members.
@_exported public import FoveaDetection
@_exported public import FoveaErrors
@_exported public import FoveaGeometry
@_exported public import FoveaImage
@_exported public import FoveaLabeling
@_exported public import FoveaMetadata
@_exported public import FoveaRuntime
@_exported public import FoveaTracking
