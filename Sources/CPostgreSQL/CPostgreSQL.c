#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#define POINTER(RESULT, NAME, PARAMETERS, ARGUMENTS) static RESULT(*found_##NAME) PARAMETERS;
HEARTH_LIBPQ(POINTER)

#define CALL(RESULT, NAME, PARAMETERS, ARGUMENTS) \
  RESULT NAME PARAMETERS { return found_##NAME ARGUMENTS; }
HEARTH_LIBPQ(CALL)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[512];

static void load(void) {
  /* The name that the library has had since PostgreSQL 8.2. */
  void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *why = dlerror();
    snprintf(failure, sizeof failure, "%s", why ? why : "libpq.so.5 cannot be loaded");
    return;
  }
#define FIND(RESULT, NAME, PARAMETERS, ARGUMENTS) \
  if (!(found_##NAME = (RESULT(*) PARAMETERS)dlsym(library, #NAME))) { \
    snprintf(failure, sizeof failure, "libpq.so.5 is too old: it has no %s", #NAME); \
    return; \
  }
  HEARTH_LIBPQ(FIND)
}

const char *hearth_load_libpq(void) {
  pthread_once(&once, load);
  return failure[0] ? failure : NULL;
}
