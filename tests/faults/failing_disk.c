/* A layer between a program and the disk, loaded with LD_PRELOAD.
 *
 * Every operation on files in the folder GRIDLOCK_DISK is logged, in order, to the file GRIDLOCK_TRACE, so that a test
 * can work out what would have remained after a power loss at any given moment. The program can also make operations
 * fail: after disk_fail(n, error, times), n - 1 operations succeed, and the next `times` operations fail with the given
 * error. disk_count() returns the number of operations since the last call to disk_fail.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILES 4096
#define REAL(type, name, ...) ((type(*)(__VA_ARGS__)) dlsym(RTLD_NEXT, name))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *names[FILES]; /* the names of the files in the folder, by descriptor */
static int trace = -1;
static long until = -1, times = 0, counted = 0;
static int error_now = 0;

void disk_fail(long n, int error, long how_often) {
    pthread_mutex_lock(&lock);
    until = n, error_now = error, times = how_often, counted = 0;
    pthread_mutex_unlock(&lock);
}

long disk_count(void) { return counted; }

/* Return the name of a file within the folder, "." for the folder itself, or NULL for any other file. */
static const char *inside(const char *path) {
    const char *folder = getenv("GRIDLOCK_DISK");
    size_t length = folder ? strlen(folder) : 0;
    if (!length || strncmp(path, folder, length)) return NULL;
    if (!path[length] || !strcmp(path + length, "/") || !strcmp(path + length, "/.")) return ".";
    if (path[length] != '/') return NULL;
    size_t whole = strlen(path); /* the index in shared memory is made anew after a crash */
    return whole > 4 && !strcmp(path + whole - 4, "-shm") ? NULL : path + length + 1;
}

static const char *name_of(int fd) { return fd >= 0 && fd < FILES ? names[fd] : NULL; }

static void put(const void *data, size_t length) {
    while (length) {
        long done = syscall(SYS_write, trace, data, length);
        if (done <= 0) _exit(9);
        data = (const char *) data + done, length -= done;
    }
}

/* Write an entry: its type, the name's length, an offset, the data's length, the name and the data. */
static void note(char what, const char *name, int64_t offset, const void *data, uint32_t length) {
    const char *file = getenv("GRIDLOCK_TRACE");
    if (!file || !name) return;
    if (trace < 0) trace = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    uint16_t size = strlen(name);
    put(&what, 1), put(&size, 2), put(&offset, 8), put(&length, 4), put(name, size), put(data, length);
}

static int fails(const char *name) {
    if (!name) return 0;
    counted++;
    if (until < 0 || counted < until || times <= 0) return 0;
    times--;
    return error_now;
}

static int opened(int fd, const char *path) {
    const char *name = inside(path);
    if (fd >= 0 && fd < FILES && name) {
        pthread_mutex_lock(&lock);
        free(names[fd]);
        names[fd] = strdup(name);
        if (strcmp(name, ".")) note('o', name, 0, NULL, 0);
        pthread_mutex_unlock(&lock);
    }
    return fd;
}

#define OPEN(name)                                                                       \
    int name(const char *path, int flags, ...) {                                         \
        va_list more;                                                                    \
        va_start(more, flags);                                                           \
        mode_t mode = va_arg(more, mode_t);                                              \
        va_end(more);                                                                    \
        return opened(REAL(int, #name, const char *, int, ...)(path, flags, mode), path); \
    }
OPEN(open)
OPEN(open64)

int close(int fd) {
    pthread_mutex_lock(&lock);
    if (fd >= 0 && fd < FILES) free(names[fd]), names[fd] = NULL;
    pthread_mutex_unlock(&lock);
    return REAL(int, "close", int)(fd);
}

static ssize_t writing(int fd, const void *data, size_t length, int64_t offset) {
    pthread_mutex_lock(&lock);
    const char *name = name_of(fd);
    int error = fails(name);
    ssize_t done = -1;
    if (!error) {
        if (name && offset < 0) offset = lseek(fd, 0, SEEK_CUR);
        done = name ? REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t)(fd, data, length, offset) : -1;
        if (done > 0) note('w', name, offset, data, done);
    }
    pthread_mutex_unlock(&lock);
    if (error) errno = error;
    return done;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
    if (!name_of(fd)) return REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t)(fd, data, length, offset);
    return writing(fd, data, length, offset);
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return pwrite64(fd, data, length, offset); }

ssize_t write(int fd, const void *data, size_t length) {
    if (!name_of(fd)) return REAL(ssize_t, "write", int, const void *, size_t)(fd, data, length);
    ssize_t done = writing(fd, data, length, -1);
    if (done > 0) lseek(fd, done, SEEK_CUR);
    return done;
}

int ftruncate64(int fd, off64_t length) {
    pthread_mutex_lock(&lock);
    const char *name = name_of(fd);
    int error = fails(name), done = -1;
    if (!error && !(done = REAL(int, "ftruncate64", int, off64_t)(fd, length))) note('t', name, length, NULL, 0);
    pthread_mutex_unlock(&lock);
    if (error) errno = error;
    return done;
}

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

static int syncing(int fd, const char *call) {
    pthread_mutex_lock(&lock);
    const char *name = name_of(fd);
    int error = fails(name), done = -1;
    if (!error && !(done = REAL(int, call, int)(fd))) note('s', name, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    if (error) errno = error;
    return done;
}

int fsync(int fd) { return syncing(fd, "fsync"); }
int fdatasync(int fd) { return syncing(fd, "fdatasync"); }

int unlink(const char *path) {
    pthread_mutex_lock(&lock);
    int done = REAL(int, "unlink", const char *)(path);
    if (!done) note('u', inside(path), 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return done;
}
