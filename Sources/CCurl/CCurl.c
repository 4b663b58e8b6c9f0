#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct Curl CURL;
struct curl_slist;

/* The numbers that curl.h has had for them since they came; CONNECT_TO is the newest, of 7.49. */
enum {
  OPT_WRITEDATA = 10001, OPT_URL = 10002, OPT_PROXY = 10004, OPT_ERRORBUFFER = 10010, OPT_POSTFIELDS = 10015,
  OPT_HTTPHEADER = 10023, OPT_HEADERDATA = 10029, OPT_CUSTOMREQUEST = 10036, OPT_CONNECT_TO = 10243,
  OPT_WRITEFUNCTION = 20011, OPT_HEADERFUNCTION = 20079, OPT_POSTFIELDSIZE_LARGE = 30120, OPT_POST = 47,
  OPT_FOLLOWLOCATION = 52, OPT_NOSIGNAL = 99, OPT_TIMEOUT_MS = 155, OPT_CONNECTTIMEOUT_MS = 156,
  OPT_PROTOCOLS = 181, INFO_RESPONSE_CODE = 0x200002, PROTOCOLS_HTTP_HTTPS = 3, GLOBAL_DEFAULT = 3,
  COULDNT_CONNECT = 7, WRITE_ERROR = 23
};

static int (*global_init)(long flags);
static CURL *(*easy_init)(void);
static int (*easy_setopt)(CURL *, int option, ...);
static int (*easy_getinfo)(CURL *, int info, ...);
static int (*easy_perform)(CURL *);
static void (*easy_cleanup)(CURL *);
static const char *(*easy_strerror)(int);
static struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
static void (*slist_free_all)(struct curl_slist *);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[512];

static void load(void) {
  /* The name that the library has had since 7.16. */
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *why = dlerror();
    snprintf(failure, sizeof failure, "%s", why ? why : "libcurl.so.4 cannot be loaded");
    return;
  }
#define FIND(NAME) \
  if (!(*(void **)&NAME = dlsym(library, "curl_" #NAME))) { \
    snprintf(failure, sizeof failure, "libcurl.so.4 is another library: it has no curl_%s", #NAME); \
    return; \
  }
  FIND(global_init) FIND(easy_init) FIND(easy_setopt) FIND(easy_getinfo) FIND(easy_perform) FIND(easy_cleanup)
  FIND(easy_strerror) FIND(slist_append) FIND(slist_free_all)
  if (global_init(GLOBAL_DEFAULT) != 0) snprintf(failure, sizeof failure, "libcurl.so.4 cannot be set up");
}

const char *hearth_load_curl(void) {
  pthread_once(&once, load);
  return failure[0] ? failure : NULL;
}

/* What came, and how much of it may. */
typedef struct {
  hearth_curl_answer *answer;
  size_t most, room;
  int is_kept, is_cut;
} taken;

/* Takes what came, and ends the transfer where it is more than it may be. */
static size_t take(char *bytes, size_t size, size_t count, void *data) {
  taken *taken = data;
  hearth_curl_answer *answer = taken->answer;
  size_t got = size * count;
  if (got > taken->most - answer->bytes) {
    taken->is_cut = 1;
    return 0;
  }
  if (taken->is_kept && answer->bytes + got > taken->room) {
    size_t room = (answer->bytes + got) * 2;
    if (room > taken->most) room = taken->most;
    char *larger = realloc(answer->content, room);
    if (!larger) return 0;
    answer->content = larger;
    taken->room = room;
  }
  if (taken->is_kept) memcpy(answer->content + answer->bytes, bytes, got);
  answer->bytes += got;
  return got;
}

/* Keeps a field's value, unless the line is of another field, or it does not fit. */
static void keep(const char *line, size_t length, const char *name, char *value, size_t room) {
  size_t begin = strlen(name);
  if (length < begin || strncasecmp(line, name, begin) != 0) return;
  while (begin < length && (line[begin] == ' ' || line[begin] == '\t')) begin++;
  while (length > begin && strchr("\r\n \t", line[length - 1])) length--;
  value[0] = 0;
  if (length - begin >= room) return;
  memcpy(value, line + begin, length - begin);
  value[length - begin] = 0;
}

static size_t note(char *line, size_t size, size_t count, void *data) {
  hearth_curl_answer *answer = data;
  size_t length = size * count;
  /* A head before the last one, such as that of a 103. */
  if (length >= 5 && memcmp(line, "HTTP/", 5) == 0) answer->entity_tag[0] = answer->last_modified[0] = 0;
  keep(line, length, "etag:", answer->entity_tag, sizeof answer->entity_tag);
  keep(line, length, "last-modified:", answer->last_modified, sizeof answer->last_modified);
  return length;
}

void hearth_curl_free(hearth_curl_answer *answer) {
  free(answer->content);
  answer->content = NULL;
}

void hearth_curl_send(const hearth_curl_request *request, hearth_curl_answer *answer) {
  memset(answer, 0, sizeof *answer);
  CURL *curl = easy_init();
  struct curl_slist *connect_to = slist_append(NULL, request->connect_to), *fields = NULL;
  /* Else a large body waits a second for a 100. */
  int is_whole = curl && connect_to && (fields = slist_append(NULL, "Expect:"));
  for (size_t i = 0; is_whole && i < request->count; i++) {
    struct curl_slist *longer = slist_append(fields, request->fields[i]);
    is_whole = longer != NULL;
    if (longer) fields = longer;
  }
  char why[256] = "";
  taken taken = {.answer = answer, .most = request->answer_bytes_max, .is_kept = request->keeps_content};
  int wrong = 0;
  if (is_whole) {
    wrong |= easy_setopt(curl, OPT_NOSIGNAL, 1L);
    wrong |= easy_setopt(curl, OPT_PROTOCOLS, (long)PROTOCOLS_HTTP_HTTPS);
    wrong |= easy_setopt(curl, OPT_FOLLOWLOCATION, 0L);
    /* Not that of the environment either. */
    wrong |= easy_setopt(curl, OPT_PROXY, "");
    wrong |= easy_setopt(curl, OPT_URL, request->url);
    wrong |= easy_setopt(curl, OPT_CONNECT_TO, connect_to);
    wrong |= easy_setopt(curl, OPT_HTTPHEADER, fields);
    /* A GET is what it makes by itself. */
    if (request->body) {
      wrong |= easy_setopt(curl, OPT_POST, 1L);
      wrong |= easy_setopt(curl, OPT_POSTFIELDS, request->body);
      wrong |= easy_setopt(curl, OPT_POSTFIELDSIZE_LARGE, (long long)request->bytes);
    }
    if (request->method) wrong |= easy_setopt(curl, OPT_CUSTOMREQUEST, request->method);
    wrong |= easy_setopt(curl, OPT_TIMEOUT_MS, request->milliseconds);
    wrong |= easy_setopt(curl, OPT_CONNECTTIMEOUT_MS, request->milliseconds);
    wrong |= easy_setopt(curl, OPT_WRITEFUNCTION, take);
    wrong |= easy_setopt(curl, OPT_WRITEDATA, &taken);
    wrong |= easy_setopt(curl, OPT_HEADERFUNCTION, note);
    wrong |= easy_setopt(curl, OPT_HEADERDATA, answer);
    wrong |= easy_setopt(curl, OPT_ERRORBUFFER, why);
  }
  if (!is_whole || wrong) {
    snprintf(answer->failure, sizeof answer->failure, "%s", is_whole ? "libcurl refuses a setting" : "there is no memory");
  } else {
    int code = easy_perform(curl);
    easy_getinfo(curl, INFO_RESPONSE_CODE, &answer->status);
    answer->is_unreachable = code == COULDNT_CONNECT;
    /* What is cut off for its length has been answered. */
    answer->is_cut = code == WRITE_ERROR && taken.is_cut && answer->status != 0;
    if (code != 0 && !answer->is_cut) snprintf(answer->failure, sizeof answer->failure, "%s", why[0] ? why : easy_strerror(code));
  }
  slist_free_all(fields);
  slist_free_all(connect_to);
  if (curl) easy_cleanup(curl);
}
