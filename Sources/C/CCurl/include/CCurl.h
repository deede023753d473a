// SPDX-License-Identifier: Apache-2.0
// HTTP transfers with libcurl, which is loaded with dlopen: nothing is linked, and building needs no headers.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CDigest.h"

#pragma clang assume_nonnull begin

/// The functions of an opened library.
typedef struct fovea_curl_s fovea_curl;

/// Opens a library; returns NULL with the reason in `detail` if it cannot be loaded or lacks a function.
///
/// Must be called by one thread at a time. An opened library stays open.
const fovea_curl *_Nullable fovea_curl_open(const char *name, char *detail, size_t detail_capacity);

/// A request.
typedef struct {
  const char *url;
  /// The value of a `Range` header without the unit, such as "500-".
  const char *_Nullable range;
  /// Whole header lines, such as "If-Range: …".
  const char *_Nonnull const *_Nullable headers;
  size_t header_count;
  /// A body to POST; NULL for none. Redirects are then not followed, so that no other host gets it.
  const void *_Nullable body;
  size_t body_count;
  /// The method, if it is not GET, HEAD or POST; NULL otherwise. Redirects are then not followed.
  const char *_Nullable method;
  /// A file to POST instead of `body`, from its current position; negative for none.
  int body_file;
  int64_t body_file_count;
  const char *user_agent;
  /// A file with certificates; NULL for the library's default.
  const char *_Nullable certificates;
  /// A proxy, "" for none; NULL for that of the environment.
  const char *_Nullable proxy;
  /// Whether to request only the headers.
  bool head;
  bool allows_http;
  bool allows_file;
  long connect_timeout_milliseconds;
  /// The longest time without data, in seconds.
  long stall_timeout_seconds;
  long most_redirects;
} fovea_curl_request;

typedef enum {
  FOVEA_CURL_OK,
  FOVEA_CURL_STOPPED,           // by a callback
  FOVEA_CURL_WRONG_URL,         // invalid, or a protocol that is not allowed
  FOVEA_CURL_UNREACHABLE,       // no address, no connection, no proxy
  FOVEA_CURL_CONNECT_TIMEOUT,
  FOVEA_CURL_STALLED,
  FOVEA_CURL_CUT,               // the connection ended early
  FOVEA_CURL_TLS,               // certificate or encryption
  FOVEA_CURL_TOO_MANY_REDIRECTS,
  FOVEA_CURL_NO_FILE,           // file://
  FOVEA_CURL_OTHER,
} fovea_curl_result;

enum {
  /// Not an error number of the system.
  FOVEA_CURL_BODY_ENDED = -1,
};

typedef struct {
  fovea_curl_result result;
  /// libcurl's own number (CURLcode).
  int code;
  /// The status of the last response; 0 for file:// or without a response.
  long status;
  /// The content length that the last response declared; -1 if it declared none.
  int64_t content_length;
  /// The number of bytes read from `body_file`.
  int64_t body_count;
  /// The system's error number from reading `body_file`; FOVEA_CURL_BODY_ENDED if the file is shorter than
  /// declared, 0 without an error.
  int body_error;
  /// Whether a connection was established.
  bool connected;
  /// libcurl's message.
  char message[256];
} fovea_curl_outcome;

/// Receives bytes; returns false to end the transfer.
typedef bool (*fovea_curl_take)(const void *bytes, size_t count, void *context);
/// Called at least ten times per second; returns true to end the transfer.
typedef bool (*fovea_curl_stop)(void *context);

/// Runs one transfer to completion.
///
/// `take_header` receives all header lines of all responses, including redirects; `take_body` receives the
/// body of the last response.
void fovea_curl_perform(
    const fovea_curl *curl, const fovea_curl_request *request, fovea_curl_take take_header, fovea_curl_take take_body,
    fovea_curl_stop stop, void *context, fovea_curl_outcome *outcome);

#pragma clang assume_nonnull end
