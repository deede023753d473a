// SPDX-License-Identifier: Apache-2.0
// One HTTP transfer through libcurl, which is opened with dlopen: nothing is linked, and building needs no headers.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CDigest.h"

#pragma clang assume_nonnull begin

/// The functions of an opened library.
typedef struct fovea_curl_s fovea_curl;

/// Opens a library; NULL with the reason in `detail` where it cannot be loaded or lacks a function.
///
/// To be called by one thread at a time. A library that was opened stays open.
const fovea_curl *_Nullable fovea_curl_open(const char *name, char *detail, size_t detail_capacity);

/// What to ask for.
typedef struct {
  const char *url;
  /// A line `Range: …`'s value without the unit, as "500-".
  const char *_Nullable range;
  /// Whole header lines, as "If-Range: …".
  const char *_Nonnull const *_Nullable headers;
  size_t header_count;
  /// A body to POST; NULL for none. It is not sent to another address: redirects are not followed then.
  const void *_Nullable body;
  size_t body_count;
  /// The method's name where it is not GET, HEAD or POST; NULL otherwise. Redirects are not followed then.
  const char *_Nullable method;
  /// A file to POST in place of `body`, from where it stands; negative for none.
  int body_file;
  int64_t body_file_count;
  const char *user_agent;
  /// A file with certificates; NULL for the library's own.
  const char *_Nullable certificates;
  /// A proxy, "" for none at all; NULL for what the environment says.
  const char *_Nullable proxy;
  /// Only the headers are wanted.
  bool head;
  bool allows_http;
  bool allows_file;
  long connect_timeout_milliseconds;
  /// How long nothing may arrive.
  long stall_timeout_seconds;
  long most_redirects;
} fovea_curl_request;

typedef enum {
  FOVEA_CURL_OK,
  FOVEA_CURL_STOPPED,           // by one of the callbacks
  FOVEA_CURL_WRONG_URL,         // it cannot be read, or its protocol is not allowed
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
  /// No error number of the system.
  FOVEA_CURL_BODY_ENDED = -1,
};

typedef struct {
  fovea_curl_result result;
  /// libcurl's own number (CURLcode).
  int code;
  /// The status of the last answer; 0 for file:// and where none came.
  long status;
  /// The length that the last answer announced; -1 where it did not.
  int64_t content_length;
  /// How many bytes of `body_file` were read.
  int64_t body_count;
  /// The system's number of the error that ended the reading of `body_file`; FOVEA_CURL_BODY_ENDED if the file is
  /// shorter than announced, 0 if all is well.
  int body_error;
  /// Whether there was a connection to send the request on.
  bool connected;
  /// libcurl's words.
  char message[256];
} fovea_curl_outcome;

/// Takes bytes; anything but `true` ends the transfer.
typedef bool (*fovea_curl_take)(const void *bytes, size_t count, void *context);
/// Asked ten times a second or more; `true` ends the transfer.
typedef bool (*fovea_curl_stop)(void *context);

/// Runs one transfer to its end.
///
/// `take_header` gets every header line of every answer, those of redirects too; `take_body` the body of the last one.
void fovea_curl_perform(
    const fovea_curl *curl, const fovea_curl_request *request, fovea_curl_take take_header, fovea_curl_take take_body,
    fovea_curl_stop stop, void *context, fovea_curl_outcome *outcome);

#pragma clang assume_nonnull end
