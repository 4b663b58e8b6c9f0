/* What Swift's Glibc module does not carry: epoll, eventfd, accept4 and the like. */
#ifndef HEARTH_CLINUX_H
#define HEARTH_CLINUX_H
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>

/* accept4 and pthread_setname_np are GNU's own, which the importer does not see. */
int hearth_accept(int listening, struct sockaddr_storage *from);
void hearth_name_thread(const char *name);

/* malloc.h is not in the module either. glibc's malloc keeps a heap for each thread that waits for another, and what one
 * thread has freed the others do not get. */
void hearth_keep_one_heap(void);

/* In a process with threads glibc's recv, send and epoll_wait are cancellation points, which costs each two atomic
 * exchanges. No thread here is ever cancelled: these make the bare call. */
ssize_t hearth_receive(int socket, void *buffer, size_t bytes);
ssize_t hearth_send(int socket, const void *buffer, size_t bytes);
int hearth_wait(int poll, struct epoll_event *events, int count, int milliseconds);

/* Has the processor fetch bytes that are about to be read, up to what it can fetch at once: nothing waits for them. */
static inline void hearth_prefetch(const void *bytes, size_t count) {
  enum { line = 64, most = 8192 };
  for (size_t at = 0; at < count && at < most; at += line) __builtin_prefetch((const char *)bytes + at, 0, 3);
}

/* stdout is a variable that Swift cannot share between threads: writes what is buffered, and says whether any of it, or of
 * what was written before, was lost. */
int hearth_output_is_lost(void);

/* The control message macros (CMSG_*) cannot be imported: descriptors cross a unix socket through these two. */
enum { hearth_descriptors_max = 253 }; /* SCM_MAX_FD of the kernel */
ssize_t hearth_send_descriptors(int socket, const void *text, size_t bytes, const int *descriptors, int count);
ssize_t hearth_receive_descriptors(int socket, void *text, size_t bytes, int *descriptors, int *count);
#endif
