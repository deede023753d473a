// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "CLoad.h"
#include "CPostgres.h"

// The numbers of libpq's ABI (soname 5, unchanged since 2006). Source: PostgreSQL 15, src/interfaces/libpq/libpq-fe.h.
enum { CONNECTION_OK = 0, CONNECTION_BAD = 1 };
enum { POLLING_FAILED = 0, POLLING_READING = 1, POLLING_WRITING = 2, POLLING_OK = 3 };
enum { COMMAND_OK = 1, TUPLES_OK = 2 };
enum { ERRORS_VERBOSE = 2 };
enum { FIELD_SQLSTATE = 'C', FIELD_MESSAGE_PRIMARY = 'M' };
enum { MOST_PARAMETERS = 1024 };

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef void (*notice_receiver)(void *context, const PGresult *result);
// Only the first members of libpq's struct; those after them are private.
typedef struct {
  char *channel;
  int process;
  char *text;
} PGnotify;

#define FOVEA_PQ_FUNCTIONS(X)                                                                                       \
  X(PGconn *, connectStartParams, (const char *const *, const char *const *, int))                                  \
  X(int, connectPoll, (PGconn *))                                                                                   \
  X(int, socket, (const PGconn *))                                                                                  \
  X(int, status, (const PGconn *))                                                                                  \
  X(char *, errorMessage, (const PGconn *))                                                                         \
  X(int, setErrorVerbosity, (PGconn *, int))                                                                        \
  X(notice_receiver, setNoticeReceiver, (PGconn *, notice_receiver, void *))                                        \
  X(void, finish, (PGconn *))                                                                                       \
  X(int, setnonblocking, (PGconn *, int))                                                                           \
  X(int, sendPrepare, (PGconn *, const char *, const char *, int, const unsigned *))                                \
  X(int, sendQueryPrepared, (PGconn *, const char *, int, const char *const *, const int *, const int *, int))      \
  X(int, flush, (PGconn *))                                                                                         \
  X(int, consumeInput, (PGconn *))                                                                                  \
  X(int, isBusy, (PGconn *))                                                                                        \
  X(PGresult *, getResult, (PGconn *))                                                                              \
  X(int, resultStatus, (const PGresult *))                                                                          \
  X(char *, resultErrorField, (const PGresult *, int))                                                              \
  X(int, ntuples, (const PGresult *))                                                                               \
  X(int, nfields, (const PGresult *))                                                                               \
  X(char *, fname, (const PGresult *, int))                                                                         \
  X(unsigned, ftype, (const PGresult *, int))                                                                       \
  X(int, getisnull, (const PGresult *, int, int))                                                                   \
  X(char *, getvalue, (const PGresult *, int, int))                                                                 \
  X(int, getlength, (const PGresult *, int, int))                                                                   \
  X(char *, cmdTuples, (PGresult *))                                                                                \
  X(PGnotify *, notifies, (PGconn *))                                                                               \
  X(void, freemem, (void *))                                                                                        \
  X(void, clear, (PGresult *))

#define FOVEA_FIELD(result, name, parameters) result(*name) parameters;
#define FOVEA_NAME(result, name, parameters) "PQ" #name,

static struct { FOVEA_PQ_FUNCTIONS(FOVEA_FIELD) } pq;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded;
static char why_not[256];

static void load(void) {
  static const char *const names[] = {FOVEA_LIBRARY("pq", "5"), NULL};
  static const char *const symbols[] = {FOVEA_PQ_FUNCTIONS(FOVEA_NAME) NULL};
  is_loaded = fovea_load(names, symbols, (void **)&pq, why_not, sizeof why_not) == FOVEA_LOAD_OK;
}

bool fovea_postgres_load(char *reason, size_t capacity) {
  pthread_once(&once, load);
  if (!is_loaded) snprintf(reason, capacity, "%s", why_not);
  return is_loaded;
}

// Copies a text of libpq, whose lines end with a line feed, as one line.
static void copy_line(const char *text, char *target, size_t capacity) {
  size_t count = 0;
  for (; *text && count + 1 < capacity; text++) {
    bool is_break = *text == '\n' || *text == '\t';
    if (is_break && (count == 0 || text[1] == 0)) continue;
    target[count++] = is_break ? ' ' : *text;
  }
  if (capacity > 0) target[count] = 0;
}

struct fovea_postgres_s {
  PGconn *connection;
  PGresult *result;
  char code[6];
  char message[512];
};

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// Waits until the socket is ready; returns the ready events, or 0 at the end of the time.
static short wait_for(const PGconn *connection, short events, int64_t end) {
  for (;;) {
    int64_t rest = end - now();
    if (rest <= 0) return 0;
    struct pollfd socket = {.fd = pq.socket(connection), .events = events};
    int count = poll(&socket, 1, rest > 60000 ? 60000 : (int)rest);
    if (count > 0) return socket.revents;
    if (count < 0 && errno != EINTR) return 0;
  }
}

// Notices, such as "table exists, skipping", would be printed.
static void ignore_notice(void *context, const PGresult *result) {}

fovea_postgres *fovea_postgres_connect(
    const char *const *keywords, const char *const *values, int milliseconds, char *reason, size_t capacity) {
  int64_t end = now() + milliseconds;
  fovea_postgres *made = calloc(1, sizeof *made);
  PGconn *connection = made ? pq.connectStartParams(keywords, values, 1) : NULL;
  if (!connection) {
    free(made);
    snprintf(reason, capacity, "out of memory");
    return NULL;
  }
  pq.setErrorVerbosity(connection, ERRORS_VERBOSE);
  pq.setNoticeReceiver(connection, ignore_notice, NULL);
  int state = pq.status(connection) == CONNECTION_BAD ? POLLING_FAILED : POLLING_WRITING;
  bool is_late = false;
  while (state != POLLING_FAILED && state != POLLING_OK && !is_late) {
    is_late = !wait_for(connection, state == POLLING_READING ? POLLIN : POLLOUT, end);
    if (!is_late) state = pq.connectPoll(connection);
  }
  if (state == POLLING_OK && pq.setnonblocking(connection, 1) == 0) {
    made->connection = connection;
    return made;
  }
  if (is_late) snprintf(reason, capacity, "no answer within %d s", milliseconds / 1000);
  else copy_line(pq.errorMessage(connection), reason, capacity);
  pq.finish(connection);
  free(made);
  return NULL;
}

static void forget_result(fovea_postgres *connection) {
  if (connection->result) pq.clear(connection->result);
  connection->result = NULL;
}

void fovea_postgres_close(fovea_postgres *connection) {
  forget_result(connection);
  pq.finish(connection->connection);
  free(connection);
}

static fovea_postgres_status lost(fovea_postgres *connection, const char *reason) {
  snprintf(connection->code, sizeof connection->code, "08006");
  copy_line(reason, connection->message, sizeof connection->message);
  return FOVEA_POSTGRES_LOST;
}

// Sends what libpq has buffered, reading meanwhile, so that neither side waits for the other.
static bool flush(PGconn *connection, int64_t end) {
  for (;;) {
    int rest = pq.flush(connection);
    if (rest <= 0) return rest == 0;
    short ready = wait_for(connection, POLLIN | POLLOUT, end);
    if (!ready || ((ready & POLLIN) && !pq.consumeInput(connection))) return false;
  }
}

static bool receive(PGconn *connection, int64_t end, PGresult **result) {
  while (pq.isBusy(connection))
    if (!wait_for(connection, POLLIN, end) || !pq.consumeInput(connection)) return false;
  *result = pq.getResult(connection);
  return true;
}

// Receives the results of the statement that was sent, and keeps the first one.
static fovea_postgres_status finish(fovea_postgres *own, bool is_sent, int milliseconds) {
  PGconn *connection = own->connection;
  int64_t end = now() + milliseconds;
  if (!is_sent || !flush(connection, end)) return lost(own, pq.errorMessage(connection));
  for (PGresult *next;;) {
    if (!receive(connection, end, &next)) {
      return lost(own, pq.status(connection) == CONNECTION_OK ? "no answer in time" : pq.errorMessage(connection));
    }
    if (!next) break;
    if (own->result) pq.clear(next);
    else own->result = next;
  }
  if (!own->result || pq.status(connection) != CONNECTION_OK) return lost(own, pq.errorMessage(connection));
  int status = pq.resultStatus(own->result);
  if (status == COMMAND_OK || status == TUPLES_OK) return FOVEA_POSTGRES_OK;
  const char *code = pq.resultErrorField(own->result, FIELD_SQLSTATE);
  const char *message = pq.resultErrorField(own->result, FIELD_MESSAGE_PRIMARY);
  snprintf(own->code, sizeof own->code, "%s", code ? code : "XX000");
  copy_line(message ? message : pq.errorMessage(connection), own->message, sizeof own->message);
  return FOVEA_POSTGRES_REFUSED;
}

fovea_postgres_status fovea_postgres_prepare(
    fovea_postgres *connection, const char *name, const char *sql, int count, const uint32_t *types,
    int milliseconds) {
  forget_result(connection);
  return finish(
      connection, pq.sendPrepare(connection->connection, name, sql, count, types) == 1, milliseconds);
}

fovea_postgres_status fovea_postgres_run(
    fovea_postgres *connection, const char *name, int count, const char *const *values, const int *lengths,
    int milliseconds) {
  int formats[MOST_PARAMETERS];
  if (count < 0 || count > MOST_PARAMETERS) return lost(connection, "more than 1024 parameters");
  for (int index = 0; index < count; index++) formats[index] = 1;
  forget_result(connection);
  int is_sent = pq.sendQueryPrepared(connection->connection, name, count, values, lengths, formats, 1);
  return finish(connection, is_sent == 1, milliseconds);
}

fovea_postgres_status fovea_postgres_notification(
    fovea_postgres *connection, int milliseconds, char *text, size_t capacity) {
  int64_t end = now() + milliseconds;
  text[0] = 0;
  for (;;) {
    PGnotify *next = pq.notifies(connection->connection);
    if (next) {
      copy_line(next->text, text, capacity);
      pq.freemem(next);
      return FOVEA_POSTGRES_OK;
    }
    if (!wait_for(connection->connection, POLLIN, end)) return FOVEA_POSTGRES_OK;
    if (!pq.consumeInput(connection->connection)) return lost(connection, pq.errorMessage(connection->connection));
  }
}

const char *fovea_postgres_code(const fovea_postgres *connection) { return connection->code; }

const char *fovea_postgres_message(const fovea_postgres *connection) { return connection->message; }

int fovea_postgres_rows(const fovea_postgres *connection) { return pq.ntuples(connection->result); }

int fovea_postgres_columns(const fovea_postgres *connection) { return pq.nfields(connection->result); }

const char *fovea_postgres_name(const fovea_postgres *connection, int column) {
  return pq.fname(connection->result, column);
}

uint32_t fovea_postgres_type(const fovea_postgres *connection, int column) {
  return pq.ftype(connection->result, column);
}

const void *fovea_postgres_value(const fovea_postgres *connection, int row, int column, int *length) {
  if (pq.getisnull(connection->result, row, column)) return NULL;
  *length = pq.getlength(connection->result, row, column);
  return pq.getvalue(connection->result, row, column);
}

int64_t fovea_postgres_changes(const fovea_postgres *connection) {
  return strtoll(pq.cmdTuples(connection->result), NULL, 10);
}
