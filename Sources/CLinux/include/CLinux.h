/* What Swift's Glibc module does not carry: epoll, eventfd, accept4. Header only. */
#ifndef HEARTH_CLINUX_H
#define HEARTH_CLINUX_H
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#endif
