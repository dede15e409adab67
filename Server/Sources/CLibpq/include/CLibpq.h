// The part of libpq that Pouch uses, found at run time, so that a server on SQLite needs no libpq, and a build needs no
// header files of it. The declarations are those of libpq.so.5, whose binary interface does not change.
#ifndef CLIBPQ_H
#define CLIBPQ_H

// Whether libpq is on this system, in version 14 or later. The first call loads it; before that, no other function
// may be called. Any thread may call it.
int libpq_load(void);

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef unsigned int Oid;

typedef enum { CONNECTION_OK, CONNECTION_BAD } ConnStatusType;
typedef enum {
    PGRES_EMPTY_QUERY = 0,
    PGRES_COMMAND_OK = 1,
    PGRES_TUPLES_OK = 2,
    PGRES_FATAL_ERROR = 7,
    PGRES_PIPELINE_SYNC = 10,
    PGRES_PIPELINE_ABORTED = 11,
} ExecStatusType;
typedef enum { PQTRANS_IDLE = 0, PQTRANS_INERROR = 3 } PGTransactionStatusType;

typedef struct {
    char *keyword;
    char *envvar;
    char *compiled;
    char *val;
    char *label;
    char *dispchar;
    int dispsize;
} PQconninfoOption;

typedef struct {
    char *relname;
    int be_pid;
    char *extra;
} PGnotify;

typedef void (*PQnoticeProcessor)(void *context, const char *message);

// Name, result, parameters and arguments of each function.
#define LIBPQ_FUNCTIONS(F) \
    F(PQconninfoParse, PQconninfoOption *, (const char *text, char **error), (text, error)) \
    F(PQconninfoFree, void, (PQconninfoOption * options), (options)) \
    F(PQconnectdbParams, PGconn *, (const char *const *keywords, const char *const *values, int expand), \
      (keywords, values, expand)) \
    F(PQfinish, void, (PGconn * connection), (connection)) \
    F(PQstatus, ConnStatusType, (const PGconn *connection), (connection)) \
    F(PQtransactionStatus, PGTransactionStatusType, (const PGconn *connection), (connection)) \
    F(PQparameterStatus, const char *, (const PGconn *connection, const char *name), (connection, name)) \
    F(PQerrorMessage, char *, (const PGconn *connection), (connection)) \
    F(PQsocket, int, (const PGconn *connection), (connection)) \
    F(PQsetNoticeProcessor, PQnoticeProcessor, (PGconn * connection, PQnoticeProcessor processor, void *context), \
      (connection, processor, context)) \
    F(PQexec, PGresult *, (PGconn * connection, const char *sql), (connection, sql)) \
    F(PQsendQueryParams, int, \
      (PGconn * connection, const char *sql, int count, const Oid *types, const char *const *values, \
       const int *lengths, const int *formats, int resultFormat), \
      (connection, sql, count, types, values, lengths, formats, resultFormat)) \
    F(PQsendPrepare, int, (PGconn * connection, const char *name, const char *sql, int count, const Oid *types), \
      (connection, name, sql, count, types)) \
    F(PQsendQueryPrepared, int, \
      (PGconn * connection, const char *name, int count, const char *const *values, const int *lengths, \
       const int *formats, int resultFormat), \
      (connection, name, count, values, lengths, formats, resultFormat)) \
    F(PQenterPipelineMode, int, (PGconn * connection), (connection)) \
    F(PQexitPipelineMode, int, (PGconn * connection), (connection)) \
    F(PQpipelineSync, int, (PGconn * connection), (connection)) \
    F(PQconsumeInput, int, (PGconn * connection), (connection)) \
    F(PQnotifies, PGnotify *, (PGconn * connection), (connection)) \
    F(PQfreemem, void, (void *memory), (memory)) \
    F(PQgetResult, PGresult *, (PGconn * connection), (connection)) \
    F(PQclear, void, (PGresult * result), (result)) \
    F(PQresultStatus, ExecStatusType, (const PGresult *result), (result)) \
    F(PQresultErrorField, char *, (const PGresult *result, int field), (result, field)) \
    F(PQcmdTuples, char *, (PGresult * result), (result)) \
    F(PQntuples, int, (const PGresult *result), (result)) \
    F(PQnfields, int, (const PGresult *result), (result)) \
    F(PQftype, Oid, (const PGresult *result, int column), (result, column)) \
    F(PQgetisnull, int, (const PGresult *result, int row, int column), (result, row, column)) \
    F(PQgetlength, int, (const PGresult *result, int row, int column), (result, row, column)) \
    F(PQgetvalue, char *, (const PGresult *result, int row, int column), (result, row, column))

// Hidden, since a program that exports them would replace libpq's own within libpq.
#define LIBPQ_DECLARE(name, result, parameters, arguments) __attribute__((visibility("hidden"))) result name parameters;
LIBPQ_FUNCTIONS(LIBPQ_DECLARE)
#undef LIBPQ_DECLARE

#endif
