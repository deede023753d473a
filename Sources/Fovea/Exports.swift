// SPDX-License-Identifier: Apache-2.0

@_exported public import struct FoveaDetection.DetectorFamily
// `import Fovea` is enough: the value types of the layers below that appear in the API come with it.
@_exported public import struct FoveaGeometry.BoundingBox
@_exported public import struct FoveaGeometry.NormalizedBox
@_exported public import enum FoveaGeometry.Orientation
@_exported public import struct FoveaGeometry.PixelSize
@_exported public import struct FoveaImage.ImageLimits
@_exported public import struct FoveaLabeling.Label
@_exported public import struct FoveaMetadata.LabelMap
@_exported public import struct FoveaMetadata.ModelMetadata
@_exported public import struct FoveaMetadata.Normalization
@_exported public import struct FoveaRuntime.ModelSignature
@_exported public import class FoveaRuntime.RuntimeLibrary
@_exported public import struct FoveaRuntime.TensorDescription
