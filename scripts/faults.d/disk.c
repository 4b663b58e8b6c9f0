/* Loaded before the C library: the disk below a database as DISK_FILE says, which holds two numbers. The first is how
   many microseconds each page takes to be written. The second is how many pages of the file hearth.db itself, without
   its log, are written until the process is killed in the midst of that; 0 for never. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

static volatile long *disk;
static ssize_t (*next)(int, const void *, size_t, off64_t);

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("DISK_FILE");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    next = (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
    if (file < 0) return;
    void *page = mmap(NULL, 2 * sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) disk = page;
    close(file);
}

static int ends_with(const char *text, const char *end) {
    size_t all = strlen(text), last = strlen(end);
    return all >= last && strcmp(text + all - last, end) == 0;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t at) {
    if (disk && (disk[0] > 0 || disk[1] > 0)) {
        char link[64], path[4096];
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        ssize_t length = readlink(link, path, sizeof path - 1);
        path[length > 0 ? length : 0] = 0;
        int isFile = ends_with(path, "/hearth.db");
        if (isFile || ends_with(path, "/hearth.db-wal")) {
            if (disk[0] > 0) usleep((useconds_t)disk[0]);
            if (isFile && disk[1] > 0 && --disk[1] == 0) kill(getpid(), SIGKILL);
        }
    }
    return next(descriptor, bytes, count, at);
}
