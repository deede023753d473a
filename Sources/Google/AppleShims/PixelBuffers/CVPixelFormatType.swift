// SPDX-License-Identifier: Apache-2.0

// Core Video's codes of pixel formats. The formats of `PixelFormat` are supported; the others are declared so
// that code that names them compiles, and are refused with an error when their pixels are used.

/// Blue, green, red, alpha, 8 bits each: "BGRA".
public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241
/// Red, green, blue, alpha, 8 bits each: "RGBA".
public let kCVPixelFormatType_32RGBA: OSType = 0x5247_4241
/// Red, green, blue, 8 bits each: 24.
public let kCVPixelFormatType_24RGB: OSType = 24
/// Brightness, 8 bits: "L008".
public let kCVPixelFormatType_OneComponent8: OSType = 0x4c30_3038
/// A plane of brightness and one of interleaved Cb and Cr, 16…235: "420v".
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076
/// A plane of brightness and one of interleaved Cb and Cr, 0…255: "420f".
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066
/// Planes of brightness, Cb and Cr, 16…235: "y420".
public let kCVPixelFormatType_420YpCbCr8Planar: OSType = 0x7934_3230
/// Planes of brightness, Cb and Cr, 0…255: "f420".
public let kCVPixelFormatType_420YpCbCr8PlanarFullRange: OSType = 0x6634_3230

/// Alpha, red, green, blue, 8 bits each: 32.
///
/// Not supported.
public let kCVPixelFormatType_32ARGB: OSType = 32
/// Alpha, blue, green, red, 8 bits each: "ABGR".
///
/// Not supported.
public let kCVPixelFormatType_32ABGR: OSType = 0x4142_4752
/// Blue, green, red, 8 bits each: "24BG".
///
/// Not supported.
public let kCVPixelFormatType_24BGR: OSType = 0x3234_4247
/// Interleaved Cb, Y, Cr, Y, 8 bits each: "2vuy".
///
/// Not supported.
public let kCVPixelFormatType_422YpCbCr8: OSType = 0x3276_7579
/// Two planes of 10 bits, video range: "x420".
///
/// Not supported: read as 8 bits it would silently give wrong results.
public let kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: OSType = 0x7834_3230
/// Two planes of 10 bits, full range: "xf20".
///
/// Not supported.
public let kCVPixelFormatType_420YpCbCr10BiPlanarFullRange: OSType = 0x7866_3230
/// Depth as 32-bit floating-point numbers: "fdep".
///
/// Not supported.
public let kCVPixelFormatType_DepthFloat32: OSType = 0x6664_6570
