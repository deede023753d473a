// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A four-character code: the name of a pixel format.
public typealias OSType = UInt32

/// The answer of a Core Media function: 0 when it did what was asked.
public typealias OSStatus = Int32

/// Text where Apple's functions take a Core Foundation string.
public typealias CFString = String

/// Bytes where Apple's functions take Core Foundation data: `data as CFData` compiles as it does there.
public typealias CFData = Data

/// Attributes where Apple's functions take a Core Foundation dictionary: `[key: value] as CFDictionary` compiles as it
/// does there.
public typealias CFDictionary = [AnyHashable: Any]

/// A truth value where Apple's functions take a Core Foundation one.
public typealias CFBoolean = Bool

/// Who gives memory for an object, for the first parameter of Core Video's functions.
///
/// There is one allocator, that of the system; it is never asked.
public final class CFAllocator: Sendable {
  init() {}
}

/// The allocator of the system.
public let kCFAllocatorDefault: CFAllocator? = nil

/// The value true.
///
/// Optional, because programs for Apple's systems write `kCFBooleanTrue!`.
public let kCFBooleanTrue: CFBoolean? = true

/// The value false.
public let kCFBooleanFalse: CFBoolean? = false
