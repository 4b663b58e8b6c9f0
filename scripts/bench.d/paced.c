/* Polls at a constant rate and tells how long answers take, counted from when each poll was due and not from when it
 * was sent: a server that stalls is charged for all the polls that it holds up.
 *
 * usage: paced PORT PATH RATE SECONDS CONNECTIONS    prints "p50 p99 p99.9 max" in microseconds, then polls and
 *                                                    errors */
#define _GNU_SOURCE
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct client { int socket; double due; long left; int in_body; size_t head; char buffer[4096]; };

static char request[1024];
static size_t request_bytes;
static double *times;
static long done, errors;

static double now(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec + at.tv_nsec / 1e9;
}

static int larger(const void *a, const void *b) {
    return (*(double *)a > *(double *)b) - (*(double *)a < *(double *)b);
}

static void open_client(struct client *client, int poll, int port, int number) {
    int on = 1;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = number};
    client->socket = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(client->socket, (void *)&at, sizeof at)) { perror("connect"); exit(1); }
    setsockopt(client->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    epoll_ctl(poll, EPOLL_CTL_ADD, client->socket, &event);
}

/* Reads what is there; 1 when the answer is whole. */
static int read_answer(struct client *client) {
    char rest[65536];
    if (client->in_body) {
        ssize_t got = recv(client->socket, rest, sizeof rest, MSG_DONTWAIT);
        if (got <= 0) { errors++; exit(1); }
        client->left -= got;
        return client->left == 0;
    }
    size_t room = sizeof client->buffer - 1 - client->head;
    ssize_t got = recv(client->socket, client->buffer + client->head, room, MSG_DONTWAIT);
    if (got <= 0) { fprintf(stderr, "paced: the connection ended\n"); exit(1); }
    client->head += got;
    client->buffer[client->head] = 0;
    char *end = strstr(client->buffer, "\r\n\r\n"), *length = strcasestr(client->buffer, "content-length:");
    if (!end) return 0;
    if (strncmp(client->buffer, "HTTP/1.1 200", 12)) errors++;
    client->left = (length ? atol(length + 15) : 0) - (client->buffer + client->head - end - 4);
    client->in_body = 1;
    return client->left == 0;
}

int main(int count, char **arguments) {
    if (count != 6) { fprintf(stderr, "usage: paced PORT PATH RATE SECONDS CONNECTIONS\n"); return 64; }
    int port = atoi(arguments[1]), connections = atoi(arguments[5]), poll = epoll_create1(0), idle = connections;
    double rate = atof(arguments[3]), seconds = atof(arguments[4]);
    long total = rate * seconds, sent = 0;
    struct client *clients = calloc(connections, sizeof *clients);
    int *free_ = malloc(connections * sizeof *free_);
    struct epoll_event ready[256];
    times = malloc(total * sizeof *times);
    request_bytes = snprintf(request, sizeof request,
                             "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept-Encoding: gzip\r\n\r\n",
                             arguments[2], port);
    for (int i = 0; i < connections; i++) { open_client(&clients[i], poll, port, i); free_[i] = i; }
    double start = now();
    while (done < total) {
        double at = now();
        while (sent < total && idle > 0 && start + sent / rate <= at) {
            struct client *client = &clients[free_[--idle]];
            client->due = start + sent++ / rate;
            client->in_body = client->head = 0;
            if (write(client->socket, request, request_bytes) != (ssize_t)request_bytes) { perror("write"); return 1; }
        }
        double wait = sent < total && idle > 0 ? start + sent / rate - now() : 0.01;
        struct timespec timeout = {0, wait > 0 ? (long)(wait * 1e9) % 1000000000 : 0};
        int events = epoll_pwait2(poll, ready, 256, &timeout, NULL);
        for (int i = 0; i < events; i++) {
            struct client *client = &clients[ready[i].data.u32];
            if (!read_answer(client)) continue;
            times[done++] = now() - client->due;
            free_[idle++] = ready[i].data.u32;
        }
    }
    qsort(times, total, sizeof *times, larger);
    printf("%.0f %.0f %.0f %.0f %ld %ld\n", times[total / 2] * 1e6, times[(long)(total * 0.99)] * 1e6,
           times[(long)(total * 0.999)] * 1e6, times[total - 1] * 1e6, total, errors);
}
