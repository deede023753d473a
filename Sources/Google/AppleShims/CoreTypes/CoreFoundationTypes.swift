// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A four-character code, such as the code of a pixel format.
public typealias OSType = UInt32

/// The result of a Core Media function: 0 on success.
public typealias OSStatus = Int32

/// The type of Core Foundation strings in Apple's functions.
public typealias CFString = String

/// The type of Core Foundation data in Apple's functions; `data as CFData` compiles as on Apple's systems.
public typealias CFData = Data

/// The type of Core Foundation dictionaries in Apple's functions; `[key: value] as CFDictionary` compiles as
/// on Apple's systems.
public typealias CFDictionary = [AnyHashable: Any]

/// The type of Core Foundation Booleans in Apple's functions.
public typealias CFBoolean = Bool

/// A memory allocator, for the first parameter of Core Video's functions.
///
/// There is only the system's allocator, and it is never used.
public final class CFAllocator: Sendable {
  init() {}
}

/// The allocator of the system.
public let kCFAllocatorDefault: CFAllocator? = nil

/// The value true.
///
/// Optional, because code for Apple's systems writes `kCFBooleanTrue!`.
public let kCFBooleanTrue: CFBoolean? = true

/// The value false.
public let kCFBooleanFalse: CFBoolean? = false
