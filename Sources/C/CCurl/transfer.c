// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "CCurl.h"
#include "numbers.h"

// The context of libcurl's callbacks.
typedef struct {
  fovea_curl_take take_header;
  fovea_curl_take take_body;
  void *context;
  bool stopped;
  const fovea_curl_request *request;
  int64_t body_count;
  int body_error;
} receiver;

static size_t receive_header(char *bytes, size_t size, size_t count, void *data) {
  receiver *to = data;
  if (to->take_header(bytes, size * count, to->context)) return size * count;
  to->stopped = true;
  return 0;
}

static size_t receive_body(char *bytes, size_t size, size_t count, void *data) {
  receiver *to = data;
  if (to->take_body(bytes, size * count, to->context)) return size * count;
  to->stopped = true;
  return 0;
}

// Reads the request's file up to its declared length. libcurl would wait forever for the rest of a file that
// became shorter.
static size_t send_body(char *bytes, size_t size, size_t count, void *data) {
  receiver *from = data;
  int64_t left = from->request->body_file_count - from->body_count;
  size_t wanted = size * count;
  if (left < (int64_t)wanted) wanted = (size_t)left;
  if (wanted == 0) return 0;
  while (true) {
    ssize_t number = read(from->request->body_file, bytes, wanted);
    if (number > 0) {
      from->body_count += number;
      return (size_t)number;
    }
    if (number < 0 && errno == EINTR) continue;
    from->body_error = number < 0 ? errno : FOVEA_CURL_BODY_ENDED;
    return FOVEA_CURL_READFUNC_ABORT;
  }
}

static fovea_curl_result result_of(int code, bool connected) {
  switch (code) {
    case FOVEA_CURLE_OK: return FOVEA_CURL_OK;
    case FOVEA_CURLE_UNSUPPORTED_PROTOCOL:
    case FOVEA_CURLE_URL_MALFORMAT: return FOVEA_CURL_WRONG_URL;
    case FOVEA_CURLE_COULDNT_RESOLVE_PROXY:
    case FOVEA_CURLE_COULDNT_RESOLVE_HOST:
    case FOVEA_CURLE_COULDNT_CONNECT:
    case FOVEA_CURLE_PROXY: return FOVEA_CURL_UNREACHABLE;
    case FOVEA_CURLE_OPERATION_TIMEDOUT: return connected ? FOVEA_CURL_STALLED : FOVEA_CURL_CONNECT_TIMEOUT;
    case FOVEA_CURLE_PARTIAL_FILE:
    case FOVEA_CURLE_GOT_NOTHING:
    case FOVEA_CURLE_SEND_ERROR:
    case FOVEA_CURLE_RECV_ERROR:
    case FOVEA_CURLE_HTTP2:
    case FOVEA_CURLE_HTTP2_STREAM: return FOVEA_CURL_CUT;
    case FOVEA_CURLE_SSL_CONNECT_ERROR:
    case FOVEA_CURLE_SSL_CERTPROBLEM:
    case FOVEA_CURLE_SSL_CIPHER:
    case FOVEA_CURLE_PEER_FAILED_VERIFICATION:
    case FOVEA_CURLE_SSL_CACERT_BADFILE:
    case FOVEA_CURLE_SSL_ISSUER_ERROR: return FOVEA_CURL_TLS;
    case FOVEA_CURLE_TOO_MANY_REDIRECTS: return FOVEA_CURL_TOO_MANY_REDIRECTS;
    case FOVEA_CURLE_FILE_COULDNT_READ_FILE: return FOVEA_CURL_NO_FILE;
    default: return FOVEA_CURL_OTHER;
  }
}

// Sets all options, and stops at the first that the library refuses.
static int configure(
    const fovea_curl *curl, void *easy, const fovea_curl_request *request, void *headers, receiver *to,
    char *message) {
  long protocols = FOVEA_CURLPROTO_HTTPS | (request->allows_http ? FOVEA_CURLPROTO_HTTP : 0);
  int code = FOVEA_CURLE_OK;
#define SET(option, value) \
  if (code == FOVEA_CURLE_OK) code = curl->easy_setopt(easy, FOVEA_CURLOPT_##option, value)
  SET(ERRORBUFFER, message);
  SET(URL, request->url);
  SET(NOSIGNAL, 1L);
  SET(PROTOCOLS, protocols | (request->allows_file ? (long)FOVEA_CURLPROTO_FILE : 0L));
  SET(REDIR_PROTOCOLS, protocols);
  SET(FOLLOWLOCATION, request->body || request->body_file >= 0 || request->method ? 0L : 1L);
  SET(MAXREDIRS, request->most_redirects);
  SET(SSL_VERIFYPEER, 1L);
  SET(SSL_VERIFYHOST, 2L);
  SET(USERAGENT, request->user_agent);
  SET(CONNECTTIMEOUT_MS, request->connect_timeout_milliseconds);
  SET(LOW_SPEED_LIMIT, 1L);
  SET(LOW_SPEED_TIME, request->stall_timeout_seconds);
  SET(HEADERFUNCTION, &receive_header);
  SET(HEADERDATA, to);
  SET(WRITEFUNCTION, &receive_body);
  SET(WRITEDATA, to);
  if (request->head) SET(NOBODY, 1L);
  if (request->body) {
    SET(POSTFIELDSIZE_LARGE, (int64_t)request->body_count);
    SET(POSTFIELDS, request->body);
  }
  if (request->body_file >= 0) {
    SET(POST, 1L);
    SET(POSTFIELDSIZE_LARGE, request->body_file_count);
    SET(READFUNCTION, &send_body);
    SET(READDATA, to);
  }
  if (request->method) SET(CUSTOMREQUEST, request->method);
  if (request->range) SET(RANGE, request->range);
  if (headers) SET(HTTPHEADER, headers);
  if (request->certificates) SET(CAINFO, request->certificates);
  if (request->proxy) SET(PROXY, request->proxy);
#undef SET
  return code;
}

// Returns the header lines as libcurl's list; NULL if there are none, or not enough memory.
static void *header_list(const fovea_curl *curl, const fovea_curl_request *request) {
  void *list = NULL;
  for (size_t index = 0; index < request->header_count; index++) {
    void *longer = curl->slist_append(list, request->headers[index]);
    if (!longer) {
      if (list) curl->slist_free_all(list);
      return NULL;
    }
    list = longer;
  }
  return list;
}

// Runs the transfer in steps of at most 0.1 s, so that a request to stop is noticed.
static int run(const fovea_curl *curl, void *multi, void *easy, receiver *to, fovea_curl_stop stop) {
  int running = 1;
  while (running) {
    if (stop(to->context)) {
      to->stopped = true;
      return FOVEA_CURLE_OK;
    }
    if (curl->multi_perform(multi, &running) != 0) return -1;
    if (running && curl->multi_poll(multi, NULL, 0, 100, NULL) != 0) return -1;
  }
  int left = 0;
  fovea_curl_message *message;
  while ((message = curl->multi_info_read(multi, &left))) {
    if (message->message == FOVEA_CURLMSG_DONE && message->easy == easy) return message->data.result;
  }
  return -1;
}

void fovea_curl_perform(
    const fovea_curl *curl, const fovea_curl_request *request, fovea_curl_take take_header, fovea_curl_take take_body,
    fovea_curl_stop stop, void *context, fovea_curl_outcome *outcome) {
  receiver to = {take_header, take_body, context, false, request, 0, 0};
  char message[FOVEA_CURL_ERROR_SIZE] = "";
  *outcome = (fovea_curl_outcome){.result = FOVEA_CURL_OTHER, .content_length = -1};

  // A TLS library may write to a connection that the peer has closed, which must not end the process.
  sigset_t pipe, before;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, &before);

  void *easy = curl->easy_init();
  void *multi = curl->multi_init();
  void *headers = header_list(curl, request);
  int code = -1;
  if (easy && multi && (headers || request->header_count == 0)) {
    code = configure(curl, easy, request, headers, &to, message);
    if (code == FOVEA_CURLE_OK && curl->multi_add_handle(multi, easy) == 0) {
      code = run(curl, multi, easy, &to, stop);
      double seconds = 0;
      curl->easy_getinfo(easy, FOVEA_CURLINFO_PRETRANSFER_TIME, &seconds);
      curl->easy_getinfo(easy, FOVEA_CURLINFO_RESPONSE_CODE, &outcome->status);
      curl->easy_getinfo(easy, FOVEA_CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &outcome->content_length);
      outcome->connected = seconds > 0;
      outcome->result = result_of(code, outcome->connected);
      curl->multi_remove_handle(multi, easy);
    }
  }
  if (to.stopped) outcome->result = FOVEA_CURL_STOPPED;
  outcome->code = code;
  outcome->body_count = to.body_count;
  outcome->body_error = to.body_error;
  snprintf(
      outcome->message, sizeof outcome->message, "%s",
      message[0] ? message : code < 0 ? "libcurl failed" : curl->easy_strerror(code));
  if (headers) curl->slist_free_all(headers);
  if (easy) curl->easy_cleanup(easy);
  if (multi) curl->multi_cleanup(multi);

  // Consumes a signal that arrived while blocked, so that unblocking does not deliver it.
  sigset_t pending;
  if (sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1 && sigismember(&before, SIGPIPE) == 0) {
    int number;
    sigwait(&pipe, &number);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}
