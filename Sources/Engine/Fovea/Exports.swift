// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore
// `import Fovea` is enough: the layers whose types appear in its API come with it, whole, because under
// `MemberImportVisibility` a type exported alone would come without its members.
@_exported public import FoveaDecoding
@_exported public import FoveaGeometry
@_exported public import FoveaImage
@_exported public import FoveaMetadata
@_exported public import FoveaRuntime
@_exported public import FoveaTracking
