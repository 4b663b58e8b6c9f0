#define _GNU_SOURCE
#include "CLinux.h"
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void hearth_name_thread(const char *name) {
    pthread_setname_np(pthread_self(), name);
}

void hearth_keep_one_heap(void) {
    mallopt(M_ARENA_MAX, 1);
}

ssize_t hearth_receive(int socket, void *buffer, size_t bytes) {
    return syscall(SYS_recvfrom, socket, buffer, bytes, 0, NULL, NULL);
}

ssize_t hearth_send(int socket, const void *buffer, size_t bytes) {
    return syscall(SYS_sendto, socket, buffer, bytes, MSG_NOSIGNAL, NULL, 0);
}

int hearth_wait(int poll, struct epoll_event *events, int count, int milliseconds) {
    return (int)syscall(SYS_epoll_pwait, poll, events, count, milliseconds, NULL, 0);
}

int hearth_accept(int listening, struct sockaddr_storage *from) {
    socklen_t bytes = sizeof *from;
    return accept4(listening, (struct sockaddr *)from, &bytes, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

ssize_t hearth_send_descriptors(int socket, const void *text, size_t bytes, const int *descriptors,
                                              int count) {
    char control[CMSG_SPACE(sizeof(int) * hearth_descriptors_max)];
    struct iovec part = {.iov_base = (void *)text, .iov_len = bytes};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count < 0 || count > hearth_descriptors_max) return -1;
    memset(control, 0, sizeof control);
    if (count > 0) {
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * count);
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof(int) * count);
        memcpy(CMSG_DATA(head), descriptors, sizeof(int) * count);
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t hearth_receive_descriptors(int socket, void *text, size_t bytes, int *descriptors, int *count) {
    char control[CMSG_SPACE(sizeof(int) * hearth_descriptors_max)];
    struct iovec part = {.iov_base = text, .iov_len = bytes};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    *count = 0;
    if (got < 0) return got;
    for (struct cmsghdr *head = CMSG_FIRSTHDR(&message); head; head = CMSG_NXTHDR(&message, head)) {
        if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
        int found = (int)((head->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        if (found > hearth_descriptors_max - *count) found = hearth_descriptors_max - *count;
        memcpy(descriptors + *count, CMSG_DATA(head), sizeof(int) * found);
        *count += found;
    }
    return got;
}

int hearth_output_is_lost(void) { return fflush(stdout) != 0 || ferror(stdout) != 0; }
