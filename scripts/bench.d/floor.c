/* The floor: an epoll loop that reads a request, finds its end, writes one ready response, and does nothing else. What
 * a server costs above it is what that server's own work costs.
 *
 * usage: floor PORT FILE|- LOOPS [CODING]    FILE is sent as a JSON body of a content coding, gzip or another; -
 *                                            answers 304 */
#define _GNU_SOURCE
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static const char validators[] =
    "Vary: Accept-Encoding, Accept-Language\r\nETag: W/\"3f9c0a7e51b2d684\"\r\n"
    "Cache-Control: public, max-age=30, stale-if-error=86400\r\n";
static const char date[] = "Date: Sat, 21 Nov 2026 01:28:09 GMT\r\n";

static char *response;
static size_t response_bytes;
static int port;

static void make_response(const char *file, const char *coding) {
    static char body[1 << 22];
    size_t bytes = 0;
    if (strcmp(file, "-")) {
        FILE *input = fopen(file, "rb");
        if (!input) { perror(file); exit(1); }
        bytes = fread(body, 1, sizeof body, input);
        fclose(input);
    }
    response = malloc(bytes + 512);
    response_bytes = bytes
        ? sprintf(response, "HTTP/1.1 200 OK\r\n%sContent-Type: application/json\r\nContent-Encoding: %s\r\n%s"
                            "Content-Length: %zu\r\n\r\n", date, coding, validators, bytes)
        : sprintf(response, "HTTP/1.1 304 Not Modified\r\n%s%s\r\n", date, validators);
    memcpy(response + response_bytes, body, bytes);
    response_bytes += bytes;
}

static int listener(void) {
    int on = 1, socket_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(socket_, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
    if (bind(socket_, (void *)&at, sizeof at) || listen(socket_, 4096)) { perror("listen"); exit(1); }
    return socket_;
}

static void accept_all(int poll, int listening) {
    int client, on = 1;
    while ((client = accept4(listening, 0, 0, SOCK_NONBLOCK)) >= 0) {
        struct epoll_event event = {.events = EPOLLIN, .data.fd = client};
        setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        epoll_ctl(poll, EPOLL_CTL_ADD, client, &event);
    }
}

static void *loop(void *unused) {
    int listening = listener(), poll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listening}, ready[256];
    char request[16384];
    epoll_ctl(poll, EPOLL_CTL_ADD, listening, &event);
    for (;;) {
        int count = epoll_wait(poll, ready, 256, -1);
        for (int i = 0; i < count; i++) {
            int client = ready[i].data.fd;
            if (client == listening) { accept_all(poll, listening); continue; }
            ssize_t got = read(client, request, sizeof request);
            if (got <= 0) { close(client); continue; }
            if (memmem(request, got, "\r\n\r\n", 4) && write(client, response, response_bytes) < 0) close(client);
        }
    }
    return unused;
}

int main(int count, char **arguments) {
    pthread_t thread;
    if (count != 4 && count != 5) { fprintf(stderr, "usage: floor PORT FILE|- LOOPS [CODING]\n"); return 64; }
    port = atoi(arguments[1]);
    make_response(arguments[2], count == 5 ? arguments[4] : "gzip");
    for (int i = 1; i < atoi(arguments[3]); i++) pthread_create(&thread, 0, loop, 0);
    loop(0);
}
