// SPDX-License-Identifier: Apache-2.0
// The numbers of libcurl's ABI (soname 4, unchanged since 2006) that are used here, and the functions;
// numbers.c compares them with curl/curl.h if that header is installed. Source: curl 7.88,
// include/curl/curl.h and multi.h.
#pragma once

enum {
  FOVEA_CURLOPT_WRITEDATA = 10001,
  FOVEA_CURLOPT_URL = 10002,
  FOVEA_CURLOPT_READDATA = 10009,
  FOVEA_CURLOPT_READFUNCTION = 20012,
  FOVEA_CURLOPT_CUSTOMREQUEST = 10036,
  FOVEA_CURLOPT_POST = 47,
  FOVEA_CURLOPT_PROXY = 10004,
  FOVEA_CURLOPT_RANGE = 10007,
  FOVEA_CURLOPT_ERRORBUFFER = 10010,
  FOVEA_CURLOPT_WRITEFUNCTION = 20011,
  FOVEA_CURLOPT_POSTFIELDS = 10015,
  FOVEA_CURLOPT_USERAGENT = 10018,
  FOVEA_CURLOPT_LOW_SPEED_LIMIT = 19,
  FOVEA_CURLOPT_LOW_SPEED_TIME = 20,
  FOVEA_CURLOPT_HTTPHEADER = 10023,
  FOVEA_CURLOPT_HEADERDATA = 10029,
  FOVEA_CURLOPT_NOBODY = 44,
  FOVEA_CURLOPT_FOLLOWLOCATION = 52,
  FOVEA_CURLOPT_SSL_VERIFYPEER = 64,
  FOVEA_CURLOPT_CAINFO = 10065,
  FOVEA_CURLOPT_MAXREDIRS = 68,
  FOVEA_CURLOPT_HEADERFUNCTION = 20079,
  FOVEA_CURLOPT_SSL_VERIFYHOST = 81,
  FOVEA_CURLOPT_NOSIGNAL = 99,
  FOVEA_CURLOPT_CONNECTTIMEOUT_MS = 156,
  FOVEA_CURLOPT_POSTFIELDSIZE_LARGE = 30120,
  FOVEA_CURLOPT_PROTOCOLS = 181,
  FOVEA_CURLOPT_REDIR_PROTOCOLS = 182,
  FOVEA_CURLINFO_RESPONSE_CODE = 0x200002,
  FOVEA_CURLINFO_PRETRANSFER_TIME = 0x300006,
  FOVEA_CURLINFO_CONTENT_LENGTH_DOWNLOAD_T = 0x60000f,
  FOVEA_CURLPROTO_HTTP = 1,
  FOVEA_CURLPROTO_HTTPS = 2,
  FOVEA_CURLPROTO_FILE = 1 << 10,
  FOVEA_CURL_GLOBAL_ALL = 3,
  FOVEA_CURL_ERROR_SIZE = 256,
  FOVEA_CURLMSG_DONE = 1,
  FOVEA_CURL_READFUNC_ABORT = 0x10000000,
};

// CURLcode.
enum {
  FOVEA_CURLE_OK = 0,
  FOVEA_CURLE_UNSUPPORTED_PROTOCOL = 1,
  FOVEA_CURLE_URL_MALFORMAT = 3,
  FOVEA_CURLE_COULDNT_RESOLVE_PROXY = 5,
  FOVEA_CURLE_COULDNT_RESOLVE_HOST = 6,
  FOVEA_CURLE_COULDNT_CONNECT = 7,
  FOVEA_CURLE_WEIRD_SERVER_REPLY = 8,
  FOVEA_CURLE_HTTP2 = 16,
  FOVEA_CURLE_PARTIAL_FILE = 18,
  FOVEA_CURLE_WRITE_ERROR = 23,
  FOVEA_CURLE_OPERATION_TIMEDOUT = 28,
  FOVEA_CURLE_SSL_CONNECT_ERROR = 35,
  FOVEA_CURLE_FILE_COULDNT_READ_FILE = 37,
  FOVEA_CURLE_TOO_MANY_REDIRECTS = 47,
  FOVEA_CURLE_GOT_NOTHING = 52,
  FOVEA_CURLE_SEND_ERROR = 55,
  FOVEA_CURLE_RECV_ERROR = 56,
  FOVEA_CURLE_SSL_CERTPROBLEM = 58,
  FOVEA_CURLE_SSL_CIPHER = 59,
  FOVEA_CURLE_PEER_FAILED_VERIFICATION = 60,
  FOVEA_CURLE_SSL_CACERT_BADFILE = 77,
  FOVEA_CURLE_SSL_ISSUER_ERROR = 83,
  FOVEA_CURLE_HTTP2_STREAM = 92,
  FOVEA_CURLE_PROXY = 97,
};

// CURLMsg of curl/multi.h.
typedef struct {
  int message;
  void *easy;
  union {
    void *whatever;
    int result;
  } data;
} fovea_curl_message;

// All functions that are called: F(result, name, parameters). Handles are plain pointers, as in libcurl.
#define FOVEA_CURL_FUNCTIONS(F)                                          \
  F(int, global_init, (long flags))                                      \
  F(void *, easy_init, (void))                                           \
  F(int, easy_setopt, (void *easy, int option, ...))                     \
  F(int, easy_getinfo, (void *easy, int info, ...))                      \
  F(const char *, easy_strerror, (int code))                             \
  F(void, easy_cleanup, (void *easy))                                    \
  F(void *, slist_append, (void *list, const char *text))                \
  F(void, slist_free_all, (void *list))                                  \
  F(void *, multi_init, (void))                                          \
  F(int, multi_add_handle, (void *multi, void *easy))                    \
  F(int, multi_perform, (void *multi, int *running))                     \
  F(int, multi_poll, (void *multi, void *extra, unsigned count, int milliseconds, int *ready)) \
  F(fovea_curl_message *, multi_info_read, (void *multi, int *left))     \
  F(int, multi_remove_handle, (void *multi, void *easy))                 \
  F(int, multi_cleanup, (void *multi))

struct fovea_curl_s {
#define FOVEA_CURL_FIELD(result, name, parameters) result(*name) parameters;
  FOVEA_CURL_FUNCTIONS(FOVEA_CURL_FIELD)
#undef FOVEA_CURL_FIELD
};
