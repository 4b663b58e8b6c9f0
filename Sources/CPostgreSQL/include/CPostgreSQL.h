/* The part of libpq that the room PostgreSQL calls, as libpq-fe.h has it since PostgreSQL 13
 * (https://www.postgresql.org/docs/15/libpq.html). The program is not linked to libpq: each function calls the one of the
 * same name in the library that hearth_load_libpq has found, so that who keeps pages in SQLite needs no libpq. */
#ifndef HEARTH_CPOSTGRESQL_H
#define HEARTH_CPOSTGRESQL_H

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;

typedef enum { CONNECTION_OK, CONNECTION_BAD } ConnStatusType;
typedef enum {
  PGRES_POLLING_FAILED, PGRES_POLLING_READING, PGRES_POLLING_WRITING, PGRES_POLLING_OK
} PostgresPollingStatusType;
typedef enum { PGRES_EMPTY_QUERY, PGRES_COMMAND_OK, PGRES_TUPLES_OK } ExecStatusType;
typedef enum {
  PQTRANS_IDLE, PQTRANS_ACTIVE, PQTRANS_INTRANS, PQTRANS_INERROR, PQTRANS_UNKNOWN
} PGTransactionStatusType;
typedef enum { PQERRORS_TERSE, PQERRORS_DEFAULT, PQERRORS_VERBOSE } PGVerbosity;
typedef enum { PQPING_OK, PQPING_REJECT, PQPING_NO_RESPONSE, PQPING_NO_ATTEMPT } PGPing;

/* An option of a connection string; a list of them ends with one without a keyword. */
typedef struct {
  char *keyword, *envvar, *compiled, *val, *label, *dispchar;
  int dispsize;
} PQconninfoOption;

typedef struct pgNotify {
  char *relname;
  int be_pid;
  char *extra;
  struct pgNotify *next;
} PGnotify;

typedef void (*PQnoticeReceiver)(void *argument, const PGresult *result);

/* Loads the library, once: NULL when it is there, and otherwise why it is not. Nothing below may be called before. */
const char *hearth_load_libpq(void);

/* Each function: what it returns, its name, its parameters, and those as arguments. */
#define HEARTH_LIBPQ(EACH) \
  EACH(PQconninfoOption *, PQconninfoParse, (const char *text, char **why), (text, why)) \
  EACH(PQconninfoOption *, PQconninfo, (PGconn *connection), (connection)) \
  EACH(void, PQconninfoFree, (PQconninfoOption *options), (options)) \
  EACH(PGPing, PQpingParams, \
    (const char *const *keywords, const char *const *values, int expands), \
    (keywords, values, expands)) \
  EACH(PGconn *, PQconnectStartParams, \
    (const char *const *keywords, const char *const *values, int expands), \
    (keywords, values, expands)) \
  EACH(PostgresPollingStatusType, PQconnectPoll, (PGconn *connection), (connection)) \
  EACH(void, PQfinish, (PGconn *connection), (connection)) \
  EACH(ConnStatusType, PQstatus, (const PGconn *connection), (connection)) \
  EACH(PGTransactionStatusType, PQtransactionStatus, (const PGconn *connection), (connection)) \
  EACH(const char *, PQparameterStatus, (const PGconn *connection, const char *name), (connection, name)) \
  EACH(int, PQserverVersion, (const PGconn *connection), (connection)) \
  EACH(char *, PQerrorMessage, (const PGconn *connection), (connection)) \
  EACH(int, PQsocket, (const PGconn *connection), (connection)) \
  EACH(int, PQbackendPID, (const PGconn *connection), (connection)) \
  EACH(int, PQconnectionNeedsPassword, (const PGconn *connection), (connection)) \
  EACH(char *, PQpass, (const PGconn *connection), (connection)) \
  EACH(PGVerbosity, PQsetErrorVerbosity, (PGconn *connection, PGVerbosity verbosity), (connection, verbosity)) \
  EACH(PQnoticeReceiver, PQsetNoticeReceiver, \
    (PGconn *connection, PQnoticeReceiver receiver, void *argument), \
    (connection, receiver, argument)) \
  EACH(int, PQsetnonblocking, (PGconn *connection, int is), (connection, is)) \
  EACH(int, PQsendQuery, (PGconn *connection, const char *sql), (connection, sql)) \
  EACH(int, PQsendQueryParams, \
    (PGconn *connection, const char *sql, int count, const unsigned int *types, const char *const *values, \
     const int *lengths, const int *formats, int resultFormat), \
    (connection, sql, count, types, values, lengths, formats, resultFormat)) \
  EACH(int, PQflush, (PGconn *connection), (connection)) \
  EACH(int, PQconsumeInput, (PGconn *connection), (connection)) \
  EACH(int, PQisBusy, (PGconn *connection), (connection)) \
  EACH(PGresult *, PQgetResult, (PGconn *connection), (connection)) \
  EACH(PGnotify *, PQnotifies, (PGconn *connection), (connection)) \
  EACH(ExecStatusType, PQresultStatus, (const PGresult *result), (result)) \
  EACH(char *, PQresultErrorField, (const PGresult *result, int field), (result, field)) \
  EACH(int, PQntuples, (const PGresult *result), (result)) \
  EACH(int, PQnfields, (const PGresult *result), (result)) \
  EACH(char *, PQfname, (const PGresult *result, int column), (result, column)) \
  EACH(int, PQgetisnull, (const PGresult *result, int row, int column), (result, row, column)) \
  EACH(char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column)) \
  EACH(int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column)) \
  EACH(char *, PQcmdTuples, (PGresult *result), (result)) \
  EACH(void, PQclear, (PGresult *result), (result)) \
  EACH(void, PQfreemem, (void *memory), (memory)) \
  EACH(int, PQlibVersion, (void), ())

/* Hidden, so that libpq's own calls of them are not taken here. */
#define HEARTH_DECLARED(RESULT, NAME, PARAMETERS, ARGUMENTS) __attribute__((visibility("hidden"))) RESULT NAME PARAMETERS;
HEARTH_LIBPQ(HEARTH_DECLARED)
#endif
