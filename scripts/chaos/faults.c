// Preloaded into the program under test: a slow, full or read-only disk, and a clock that jumps.
// Built by the campaign with the system's compiler; see campaign.mjs for the variables.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static long setting(const char *name) {
  const char *value = getenv(name);
  return value == NULL ? 0 : atol(value);
}

// Only regular files fail: sockets, pipes and the terminal are not on the disk.
static int is_file(int fd) {
  struct stat about;
  return fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
}

static atomic_long written;

// Returns 0, or the error that this write must fail with.
static int fault_of_write(int fd, size_t count) {
  static long full_after = -1, read_only_after = -1;
  if (full_after < 0) full_after = setting("CHAOS_FULL_AFTER");
  if (read_only_after < 0) read_only_after = setting("CHAOS_READ_ONLY_AFTER");
  if ((full_after == 0 && read_only_after == 0) || !is_file(fd)) return 0;
  long total = atomic_fetch_add(&written, (long)count) + (long)count;
  if (full_after > 0 && total > full_after) return ENOSPC;
  if (read_only_after > 0 && total > read_only_after) return EROFS;
  return 0;
}

#define FAIL_OR(fd, count, call)                  \
  int fault = fault_of_write(fd, count);          \
  if (fault != 0) {                               \
    errno = fault;                                \
    return -1;                                    \
  }                                               \
  return call

ssize_t write(int fd, const void *data, size_t count) {
  static ssize_t (*real)(int, const void *, size_t);
  if (real == NULL) real = dlsym(RTLD_NEXT, "write");
  FAIL_OR(fd, count, real(fd, data, count));
}

ssize_t pwrite(int fd, const void *data, size_t count, off_t at) {
  static ssize_t (*real)(int, const void *, size_t, off_t);
  if (real == NULL) real = dlsym(RTLD_NEXT, "pwrite");
  FAIL_OR(fd, count, real(fd, data, count, at));
}

ssize_t pwrite64(int fd, const void *data, size_t count, off64_t at) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  if (real == NULL) real = dlsym(RTLD_NEXT, "pwrite64");
  FAIL_OR(fd, count, real(fd, data, count, at));
}

static void wait_for_disk(void) {
  static long millis = -1;
  if (millis < 0) millis = setting("CHAOS_SYNC_MILLIS");
  if (millis > 0) usleep((useconds_t)millis * 1000);
}

int fsync(int fd) {
  static int (*real)(int);
  if (real == NULL) real = dlsym(RTLD_NEXT, "fsync");
  wait_for_disk();
  return real(fd);
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (real == NULL) real = dlsym(RTLD_NEXT, "fdatasync");
  wait_for_disk();
  return real(fd);
}

// The wall clock jumps by so many seconds after so many milliseconds; the monotonic clock does not.
int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  static long jump = 0, after = 0, start = -1;
  if (real == NULL) real = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, time);
  if (start < 0) {
    jump = setting("CHAOS_CLOCK_JUMP_SECONDS");
    after = setting("CHAOS_CLOCK_JUMP_AFTER_MILLIS");
    struct timespec now;
    real(CLOCK_MONOTONIC, &now);
    start = now.tv_sec * 1000 + now.tv_nsec / 1000000;
  }
  if (clock == CLOCK_REALTIME && jump != 0) {
    struct timespec now;
    real(CLOCK_MONOTONIC, &now);
    if (now.tv_sec * 1000 + now.tv_nsec / 1000000 - start >= after) time->tv_sec += jump;
  }
  return result;
}
