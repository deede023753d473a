// SPDX-License-Identifier: Apache-2.0
// Queries of PostgreSQL with libpq, which is loaded with dlopen: nothing is linked, and building needs no headers.
//
// Every wait has an end: libpq does not block, and a thread that waits for a server does so in poll().
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Loads libpq once; returns false with the reason if it cannot be loaded or lacks a function.
bool fovea_postgres_load(char *reason, size_t capacity);

/// A connection, used by one thread at a time.
typedef struct fovea_postgres_s fovea_postgres;

/// Connects with parameters, whose list ends with NULL; those of an address override earlier ones.
///
/// Returns NULL with the reason, in which the server's own errors have their code: "FATAL:  28P01: …".
fovea_postgres *_Nullable fovea_postgres_connect(
    const char *_Nullable const *_Nonnull keywords, const char *_Nullable const *_Nonnull values, int milliseconds,
    char *reason, size_t capacity);

void fovea_postgres_close(fovea_postgres *connection);

typedef enum {
  FOVEA_POSTGRES_OK,
  /// The server refused the statement: see fovea_postgres_code() and fovea_postgres_message().
  FOVEA_POSTGRES_REFUSED,
  /// The connection has ended, or the server did not answer in time; it can only be closed.
  FOVEA_POSTGRES_LOST,
} fovea_postgres_status;

/// The types of parameters and columns that are used here, by their numbers in pg_type; 0 is decided by the server.
enum {
  FOVEA_POSTGRES_BOOL = 16,
  FOVEA_POSTGRES_INT8 = 20,
  FOVEA_POSTGRES_INT4 = 23,
  FOVEA_POSTGRES_TEXT = 25,
  FOVEA_POSTGRES_FLOAT8 = 701,
};

/// Gives a statement a name; its parameters are $1, $2 and so on.
fovea_postgres_status fovea_postgres_prepare(
    fovea_postgres *connection, const char *name, const char *sql, int count, const uint32_t *_Nullable types,
    int milliseconds);

/// Runs a prepared statement with up to 1024 values, in the binary format, NULL for null. The result stays until the next
/// call.
fovea_postgres_status fovea_postgres_run(
    fovea_postgres *connection, const char *name, int count, const char *_Nullable const *_Nullable values,
    const int *_Nullable lengths, int milliseconds);

/// Waits for a notification of a channel to which the connection listens, and writes its text; an empty one if none arrives
/// in that time. Never sends anything, so a server that hangs is not noticed.
fovea_postgres_status fovea_postgres_notification(
    fovea_postgres *connection, int milliseconds, char *text, size_t capacity);

/// The SQLSTATE of the last refusal, five characters, and its text in one line.
const char *fovea_postgres_code(const fovea_postgres *connection);
const char *fovea_postgres_message(const fovea_postgres *connection);

/// The last result.
int fovea_postgres_rows(const fovea_postgres *connection);
int fovea_postgres_columns(const fovea_postgres *connection);
const char *fovea_postgres_name(const fovea_postgres *connection, int column);
uint32_t fovea_postgres_type(const fovea_postgres *connection, int column);
/// The bytes of a value in the binary format; NULL for null.
const void *_Nullable fovea_postgres_value(const fovea_postgres *connection, int row, int column, int *length);
/// The number of rows that the statement changed.
int64_t fovea_postgres_changes(const fovea_postgres *connection);

#pragma clang assume_nonnull end
