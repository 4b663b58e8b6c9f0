/* What the room HTTPClient asks of libcurl (https://curl.se/libcurl/c/): one request, made anew. The program is not linked to
 * libcurl: hearth_load_curl finds it, so that who sends nothing out needs none. */
#ifndef HEARTH_CCURL_H
#define HEARTH_CCURL_H

#include <stddef.h>

/* A request. */
typedef struct {
  const char *url;
  /* `::ADDRESS:PORT`: whatever host and port the URL names, this is what is connected to. */
  const char *connect_to;
  /* Lines of `Name: value`, `count` of them. */
  const char *const *fields;
  size_t count;
  /* What is sent; without content, NULL. */
  const unsigned char *body;
  size_t bytes;
  /* For all of it. */
  long milliseconds;
  /* The most bytes of the answer's content; the rest is not read. */
  size_t answer_bytes_max;
  /* Whether the caller wants the content. */
  int keeps_content;
  /* PUT or DELETE; of a POST, which has a body, and of a GET, NULL. */
  const char *method;
} hearth_curl_request;

/* What came of it. */
typedef struct {
  /* 0 until a head came. */
  long status;
  /* Whether the address refused a connection, or did not answer: another one may. */
  int is_unreachable;
  /* Whether more content came than may be read. */
  int is_cut;
  /* The content, where it is wanted, and how many bytes of it came. */
  char *content;
  size_t bytes;
  /* The fields of these names; empty where there is none, or a longer one. */
  char entity_tag[256], last_modified[64];
  /* Empty where the answer came. */
  char failure[256];
} hearth_curl_answer;

/* Loads the library, once: NULL when it is there, and otherwise why it is not. Nothing below may be called before. */
const char *hearth_load_curl(void);

/* Makes a request: no proxy, no redirect, http and https alone, certificates checked. Blocks. The
 * caller frees the answer. */
void hearth_curl_send(const hearth_curl_request *request, hearth_curl_answer *answer);
void hearth_curl_free(hearth_curl_answer *answer);

#endif
