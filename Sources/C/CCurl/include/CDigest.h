// SPDX-License-Identifier: Apache-2.0
// SHA-256 with the system's libcrypto, which is loaded with dlopen and uses the processor's SHA instructions.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

/// The functions of an opened library.
typedef struct fovea_digest_library_s fovea_digest_library;

/// Opens the library; must be called only once. Returns NULL if it cannot be loaded or lacks a function.
const fovea_digest_library *_Nullable fovea_digest_open(void);

/// Makes the digest of no bytes; returns NULL on failure. Freed by `fovea_digest_free`.
void *_Nullable fovea_digest_make(const fovea_digest_library *library);
/// Restarts with no bytes.
bool fovea_digest_begin(const fovea_digest_library *library, void *sum);
/// Adds bytes.
bool fovea_digest_update(const fovea_digest_library *library, void *sum, const void *_Nullable bytes, size_t count);
/// Writes the 32 bytes of the digest so far; more bytes may follow.
bool fovea_digest_read(const fovea_digest_library *library, void *sum, unsigned char *digest);
void fovea_digest_free(const fovea_digest_library *library, void *sum);

#pragma clang assume_nonnull end
