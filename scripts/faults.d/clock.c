/* Loaded before the C library: the wall clock of a process, moved by the seconds that the file CLOCK_FILE holds. With
   CLOCK_SINCE_BOOT the time since the machine was started is moved too, as if it had passed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static const volatile long *offset;
static int moves_boot;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("CLOCK_FILE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *page = mmap(NULL, sizeof(long), PROT_READ, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) offset = page;
    close(file);
    moves_boot = getenv("CLOCK_SINCE_BOOT") != NULL;
}

static int is_moved(clockid_t clock) {
    return offset && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE
                      || (clock == CLOCK_BOOTTIME && moves_boot));
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && is_moved(clock)) now->tv_sec += *offset;
    return result;
}

/* The kernel moves no clock: timers by the time since the machine was started are told what that is without. */
static char is_by_boot[1024];

int timerfd_create(int clock, int flags) {
    int timer = (int)syscall(SYS_timerfd_create, clock, flags);
    if (timer >= 0 && timer < (int)sizeof is_by_boot) is_by_boot[timer] = clock == CLOCK_BOOTTIME;
    return timer;
}

int timerfd_settime(int timer, int flags, const struct itimerspec *to, struct itimerspec *former) {
    struct itimerspec real = *to;
    if (offset && moves_boot && is_by_boot[timer & 1023] && (flags & TFD_TIMER_ABSTIME) && real.it_value.tv_sec)
        real.it_value.tv_sec -= *offset;
    return (int)syscall(SYS_timerfd_settime, timer, flags, &real, former);
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec precise;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *to) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (to) *to = now.tv_sec;
    return now.tv_sec;
}
