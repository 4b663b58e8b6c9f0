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

/* The control message macros (CMSG_*) cannot be imported: descriptors cross a unix socket through these two. */
enum { hearth_descriptors_max = 253 }; /* SCM_MAX_FD of the kernel */
ssize_t hearth_send_descriptors(int socket, const void *text, size_t bytes, const int *descriptors, int count);
ssize_t hearth_receive_descriptors(int socket, void *text, size_t bytes, int *descriptors, int *count);
#endif
