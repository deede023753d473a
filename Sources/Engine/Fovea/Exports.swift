// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore
// `import Fovea` is enough: the modules whose types appear in its API are exported whole, because under
// `MemberImportVisibility` a type exported by itself would lack its members.
@_exported public import FoveaDecoding
@_exported public import FoveaGeometry
@_exported public import FoveaImage
@_exported public import FoveaMetadata
@_exported public import FoveaRuntime
@_exported public import FoveaTracking
